# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return ((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)).tolist()
