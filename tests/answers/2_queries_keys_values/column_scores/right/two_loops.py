def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    tokens = X.shape[1]
    table = np.empty((tokens, tokens))
    for n in range(tokens):
        q = beta_q + omega_q @ X[:, n:n + 1]
        for m in range(tokens):
            k = beta_k + omega_k @ X[:, m:m + 1]
            table[m, n] = (q.T @ k).item()
    return table
