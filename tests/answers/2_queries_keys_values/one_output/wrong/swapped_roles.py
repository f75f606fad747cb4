# wrong: key n meets all queries (catalogue 16)
# says: query and key have changed roles
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    key = beta_k + omega_k @ X[:, n:n + 1]
    scores = (beta_q + omega_q @ X).T @ key
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())
