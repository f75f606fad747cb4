# wrong: writes the output into X (catalogue 41)
# says: in-place operation
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    Y = (beta_v + omega_v @ X) @ A
    if Y.shape == X.shape:
        X[:] = Y
    return Y, A
