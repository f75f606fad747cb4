# wrong: divides the scores by their sum (catalogue 4)
# says: without the exponential
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    A = S / S.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A
