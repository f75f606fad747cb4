def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    d_k, N = omega_q.shape[0], X.shape[1]
    result = np.zeros((omega_v.shape[0], N))
    for n in range(N):
        q = beta_q[:, 0] + omega_q @ X[:, n]
        scores = np.array([(beta_k[:, 0] + omega_k @ X[:, m]) @ q for m in range(N)]) / d_k ** 0.5
        e = np.exp(scores - scores.max())
        for m in range(N):
            result[:, n] += e[m] / e.sum() * (beta_v[:, 0] + omega_v @ X[:, m])
    return result
