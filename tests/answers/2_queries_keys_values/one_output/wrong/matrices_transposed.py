# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v.T @ X) @ (e / e.sum())
