# wrong: outputs in rows (catalogue 19)
# says: the axes are in another order
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return (V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)).T
