# wrong: divides by the root of D (catalogue 11)
# says: another length than the one
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(X.shape[0]), axis=0)
