# wrong: assumes the order q, k, v of the earlier exercise
# says: v, q, k
def self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q
    E = np.exp(S - S.max(axis=0))
    A = E / E.sum(axis=0)
    return V @ A, A
