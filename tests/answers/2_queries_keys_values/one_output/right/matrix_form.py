def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ X[:, n].reshape(-1, 1)
    scores = (omega_k @ X + beta_k).T @ query       # (N, 1)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return (omega_v @ X + beta_v) @ weights
