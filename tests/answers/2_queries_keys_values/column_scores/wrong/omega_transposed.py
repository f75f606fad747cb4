# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X)
