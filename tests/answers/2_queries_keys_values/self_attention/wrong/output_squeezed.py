# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return ((beta_v + omega_v @ X) @ A).squeeze(), A
