# wrong: returns all outputs
# says: all outputs are returned
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    e = np.exp(scores - scores.max(axis=0))
    return (beta_v + omega_v @ X) @ (e / e.sum(axis=0))
