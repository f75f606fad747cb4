# wrong: Q.T @ K, so rows are queries (catalogue 16)
# says: the result is the transpose
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_q + omega_q @ X).T @ (beta_k + omega_k @ X)
