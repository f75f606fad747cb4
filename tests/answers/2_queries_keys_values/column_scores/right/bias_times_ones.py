def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    eins = np.ones((1, X.shape[1]))
    return np.matmul(np.transpose(beta_k @ eins + omega_k @ X), beta_q @ eins + omega_q @ X)
