# wrong: leaves the biases out
# says: the biases are missing
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols((omega_k @ X).T @ (omega_q @ X))
    return omega_v @ X @ A, A
