# wrong: mixes X (catalogue 15)
# says: the inputs are mixed
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return X @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
