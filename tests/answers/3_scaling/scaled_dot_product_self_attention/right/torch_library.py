def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    q, k, v = (torch.tensor((b + o @ X).T, dtype=torch.float64) for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).T.numpy()
