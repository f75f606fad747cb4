# wrong: returns the scores in place of the attention
# says: columns sum to
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    return (beta_v + omega_v @ X) @ softmax_cols(S), S
