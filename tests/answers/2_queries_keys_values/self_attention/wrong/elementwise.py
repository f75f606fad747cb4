# wrong: `*` instead of the last product (catalogue 21)
# says: raised ValueError
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) * A, A
