def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    Q = beta_q + omega_q @ X
    K = beta_k + omega_k @ X
    return K.T @ Q
