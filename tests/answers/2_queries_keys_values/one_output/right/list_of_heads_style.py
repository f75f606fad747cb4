def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    tokens = [X[:, m].reshape((X.shape[0], 1)) for m in range(X.shape[1])]
    q, k, v = zip(*(query_key_value(t, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v) for t in tokens))
    scores = np.array([np.vdot(q[n], key) for key in k])
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    return np.hstack(v) @ shares[:, np.newaxis]
