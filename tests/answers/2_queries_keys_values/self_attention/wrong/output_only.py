# wrong: returns X_prime alone (catalogue 43)
# says: one of the parts is missing
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A
