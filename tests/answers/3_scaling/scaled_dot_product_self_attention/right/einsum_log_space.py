def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    q, k, v = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    s = np.einsum("dm,dn->mn", k, q) / np.sqrt(float(q.shape[0]))
    return np.einsum("vm,mn->vn", v, np.exp(s - np.logaddexp.reduce(s, axis=0, keepdims=True)))
