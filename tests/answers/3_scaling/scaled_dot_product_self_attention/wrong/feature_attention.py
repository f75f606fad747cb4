# wrong: features with features (catalogue 17)
# says: the largest difference
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return (V.T @ softmax(K @ Q.T / np.sqrt(len(K)), axis=0)).T
