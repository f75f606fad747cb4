# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return np.round((beta_v + omega_v @ X) @ A, 3), np.round(A, 3)
