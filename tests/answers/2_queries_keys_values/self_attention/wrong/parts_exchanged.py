# wrong: returns attention first
# says: part `X_prime`: shape (3, 3)
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return A, (beta_v + omega_v @ X) @ A
