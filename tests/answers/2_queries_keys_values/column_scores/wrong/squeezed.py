# wrong: drops the axes of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return np.squeeze((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X))
