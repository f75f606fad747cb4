# wrong: divides by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k) / np.sqrt(len(omega_k)))
    return (beta_v + omega_v @ X) @ A, A
