# wrong: mixes X instead of V (catalogue 15)
# says: the inputs are mixed instead of the values
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return X @ A, A
