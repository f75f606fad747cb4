# wrong: `*` instead of a product (catalogue 21)
# says: raised ValueError
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T * (beta_q + omega_q @ X)
