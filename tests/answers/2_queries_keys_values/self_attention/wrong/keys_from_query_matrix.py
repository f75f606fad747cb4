# wrong: the keys use the query's matrix (catalogue 15)
# says: the keys come from the query's matrix
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_q, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A, A
