# wrong: softmax over all entries (catalogue 2)
# says: no mistake that this check knows
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    return V @ softmax(S.ravel()).reshape(S.shape)
