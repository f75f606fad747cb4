# wrong: returns the attention
# says: the softmax was already applied
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    s = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)
