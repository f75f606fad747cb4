def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    query = omega_q @ X[:, n:n + 1]
    query += beta_q.astype(query.dtype)
    scores = (query.T @ keys).astype(float)
    scores -= scores.max()
    np.exp(scores, out=scores)
    scores /= scores.sum()
    return values @ scores.T
