# wrong: K @ Q.T: features with features (catalogue 17)
# says: features with features
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    A = softmax_cols(K @ Q.T)
    return (V.T @ A).T, A
