# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    e = np.exp(S - S.max())
    return V @ (e / e.sum(axis=0))
