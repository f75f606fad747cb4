# wrong: loops to the notebook's N (catalogue 42)
# says: one token too many or too few
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([((beta_k + omega_k @ X[:, m:m + 1]).T @ q).item() for m in range(min(N, X.shape[1]))])
    e = np.exp(s - s.max())
    w = e / e.sum()
    return sum(w[m] * (beta_v + omega_v @ X[:, m:m + 1]) for m in range(len(w)))
