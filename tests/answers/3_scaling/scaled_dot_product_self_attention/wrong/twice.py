# wrong: divides q and k by the root, each (catalogue 10)
# says: divided by d itself
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = np.sqrt(len(omega_k))
    Q, K, V = (beta_q + omega_q @ X) / root, (beta_k + omega_k @ X) / root, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q, axis=0)
