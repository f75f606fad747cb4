# wrong: keys with keys (catalogue 15)
# says: one of the two roles is used twice
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    K = beta_k + omega_k @ X
    return K.T @ K
