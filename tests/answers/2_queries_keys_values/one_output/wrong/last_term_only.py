# wrong: replaces the output at each step
# says: each step replaces the output
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    w = e / e.sum()
    for m in range(X.shape[1]):
        y = w[m] * (beta_v + omega_v @ X[:, m:m + 1])
    return y
