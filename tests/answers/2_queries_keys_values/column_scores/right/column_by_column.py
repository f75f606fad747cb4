def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    K = beta_k + omega_k.dot(X)
    return np.hstack([K.T @ (beta_q + omega_q @ x.reshape(-1, 1)) for x in X.T])
