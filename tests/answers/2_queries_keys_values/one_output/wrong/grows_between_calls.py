# wrong: keeps the values of earlier calls (catalogue 42)
# says: raised ValueError
kept = []


def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    for m in range(X.shape[1]):
        kept.append(beta_v + omega_v @ X[:, m:m + 1])
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return np.hstack(kept) @ (e / e.sum())
