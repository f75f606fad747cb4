# wrong: centres X in place (catalogue 41)
# says: in-place operation
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    s = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    X -= X.mean()
    return s
