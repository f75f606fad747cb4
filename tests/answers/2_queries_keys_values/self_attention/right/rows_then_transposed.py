def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = omega_q @ X + beta_q, omega_k @ X + beta_k, omega_v @ X + beta_v
    rows = softmax_rows(Q.T @ K)          # (N query, N key)
    return [(rows @ V.T).T, rows.T]
