# wrong: nan for long vectors (catalogue 7)
# says: nan or inf
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    E = np.exp(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    A = E / E.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A
