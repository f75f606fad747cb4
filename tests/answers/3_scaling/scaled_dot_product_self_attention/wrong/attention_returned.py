# wrong: returns the attention (catalogue 43)
# says: the attention is returned
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
