def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    Q, K = omega_q @ X + beta_q, omega_k @ X + beta_k
    return (Q.T @ K).T
