def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = ((o @ X + b).T for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return (softmax(Q @ K.T * (1 / np.sqrt(Q.shape[1]))) @ V).T
