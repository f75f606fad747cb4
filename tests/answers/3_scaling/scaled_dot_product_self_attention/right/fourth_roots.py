def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = len(omega_k) ** 0.25
    Q, K = (omega_q @ X + beta_q) / root, (omega_k @ X + beta_k) / root
    return (omega_v @ X + beta_v) @ softmax(K.T @ Q, axis=0)
