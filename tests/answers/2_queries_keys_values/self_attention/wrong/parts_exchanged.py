# wrong: returns attention first
# says: the two parts are in the other order
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return A, (beta_v + omega_v @ X) @ A
