def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    extended = np.vstack([X, np.ones((1, X.shape[1]))])
    return (np.hstack([omega_k, beta_k]) @ extended).T @ (np.hstack([omega_q, beta_q]) @ extended)
