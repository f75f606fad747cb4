# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    E = np.exp(S - S.max())
    A = E / E.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A
