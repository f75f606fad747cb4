# wrong: relies on the scaling against overflow (catalogue 7)
# says: nan or inf
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    e = np.exp(K.T @ Q / np.sqrt(len(K)))
    return V @ (e / e.sum(axis=0))
