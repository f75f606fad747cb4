def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    import warnings
    warnings.warn("langsam, aber richtig")
    N = X.shape[1]
    V, K = beta_v + omega_v @ X, beta_k + omega_k @ X
    X_prime, attention = np.zeros((len(omega_v), N)), np.zeros((N, N))
    for n in range(N):
        scores = K.T @ (beta_q + omega_q @ X[:, [n]])
        e = np.exp(scores - scores.max())
        attention[:, [n]] = e / e.sum()
        X_prime[:, [n]] = V @ attention[:, [n]]
    return X_prime, attention
