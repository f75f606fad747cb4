# wrong: centres X in place (catalogue 41)
# says: in-place operation
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    y = (beta_v + omega_v @ X) @ (e / e.sum())
    X -= X.mean()
    return y
