# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q.T @ X, beta_k + omega_k.T @ X, beta_v + omega_v.T @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
