# wrong: makes the result with the notebook's N and D (catalogue 42)
# says: comes from the notebook
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    X_prime = np.zeros((D, N))
    X_prime[:] = (beta_v + omega_v @ X) @ A
    return X_prime, A
