def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([np.sum(q * (beta_k + omega_k @ X[:, m:m + 1])) for m in range(X.shape[1])])
    w = softmax_rows(s[None])[0]
    y = 0
    for m in range(X.shape[1]):
        y += w[m] * (beta_v + omega_v @ X[:, m:m + 1])
    return y
