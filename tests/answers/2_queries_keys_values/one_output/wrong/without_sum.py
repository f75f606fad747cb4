# wrong: exponentials are not normalised (catalogue 5)
# says: were not divided by their sum
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ np.exp(scores - scores.max())
