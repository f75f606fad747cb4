# wrong: the inputs take the place of the keys (catalogue 15)
# says: the inputs are used in place of the keys
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return X.T @ (beta_q + omega_q @ X)
