# wrong: uses the notebook's X (catalogue 42)
# says: comes from the notebook
def column_scores(x, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
