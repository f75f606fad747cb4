# wrong: mixes the inputs instead of the values (catalogue 15)
# says: the inputs are mixed instead of the values
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return X @ (e / e.sum())
