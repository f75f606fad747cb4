# wrong: does not normalise (catalogue 5)
# says: not divided by their own column's sum
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    A = np.exp(S - S.max(axis=0))
    return (beta_v + omega_v @ X) @ A, A
