def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    x, ov, oq, ok, bv, bq, bk = (torch.tensor(a, dtype=torch.float64) for a in (X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
    attention = torch.softmax((ok @ x + bk).T @ (oq @ x + bq), dim=0)
    return ((ov @ x + bv) @ attention).numpy(), attention.numpy()
