# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return np.squeeze(V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0))
