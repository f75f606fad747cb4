# wrong: K @ Q.T compares features with features (catalogue 17)
# says: compares features with features
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X) @ (beta_q + omega_q @ X).T
