# wrong: `float` of an array of shape (1, 1)
# says: take the one number out with `.item()`
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([float((beta_k + omega_k @ X[:, m:m + 1]).T @ q) for m in range(X.shape[1])])
    e = np.exp(s - s.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]
