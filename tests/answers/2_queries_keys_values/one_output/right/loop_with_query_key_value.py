def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = query_key_value(X[:, [n]], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)[0]
    scores, values = [], []
    for m in range(X.shape[1]):
        _, key, value = query_key_value(X[:, [m]], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
        scores.append((key.T @ query)[0, 0])
        values.append(value)
    a = np.exp(np.array(scores) - max(scores))
    a = a / a.sum()
    y = np.zeros(beta_v.shape)
    for m, value in enumerate(values):
        y = y + a[m] * value
    return y
