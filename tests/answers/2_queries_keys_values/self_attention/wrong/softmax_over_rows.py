# wrong: softmax over the queries (catalogue 1)
# says: rows to 1.00
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_rows(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A, A
