def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    N = X.shape[1]
    ones = np.ones((1, N))
    Q = omega_q @ X + beta_q @ ones
    Q /= np.sqrt(len(Q))
    scores = (omega_k @ X + beta_k @ ones).T @ Q
    scores -= scores.max(axis=0)
    e = np.exp(scores)
    e /= e.sum(axis=0)
    return (omega_v @ X + beta_v @ ones) @ e
