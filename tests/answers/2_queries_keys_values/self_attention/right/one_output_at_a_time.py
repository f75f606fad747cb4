def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    parts = [one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v) for n in range(X.shape[1])]
    return np.hstack(parts), softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
