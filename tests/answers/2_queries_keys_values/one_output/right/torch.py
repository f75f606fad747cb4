def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x, oq, ok, ov, bq, bk, bv = (torch.tensor(a, dtype=torch.float64) for a in (X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v))
    weights = torch.softmax((ok @ x + bk).T @ (oq @ x[:, n:n + 1] + bq), dim=0)
    return ((ov @ x + bv) @ weights).numpy()
