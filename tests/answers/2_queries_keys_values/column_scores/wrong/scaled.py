# wrong: divides by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X) / np.sqrt(len(omega_k))
