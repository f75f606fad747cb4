# wrong: divides the scores by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1]) / np.sqrt(len(beta_k))
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())
