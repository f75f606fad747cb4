# wrong: assumes the order q, k, v
# says: in the order v, q, k
def scaled_dot_product_self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
