# wrong: leaves the biases out
# says: the biases are missing
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = omega_q @ X, omega_k @ X, omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
