# wrong: returns an array without the column axis (catalogue 46)
# says: an axis of length 1 was dropped
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return ((beta_v + omega_v @ X) @ (e / e.sum()))[:, 0]
