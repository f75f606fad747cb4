# wrong: softmax over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    E = np.exp(S - S.max())
    A = E / E.sum()
    return (beta_v + omega_v @ X) @ A, A
