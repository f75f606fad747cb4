# wrong: leaves the biases out
# says: the biases are missing
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (omega_k @ X).T @ (omega_q @ X)
