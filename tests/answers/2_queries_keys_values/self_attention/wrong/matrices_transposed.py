# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols((beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X))
    return (beta_v + omega_v.T @ X) @ A, A
