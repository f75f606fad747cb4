# wrong: transposes the matrices; runs while they are square (catalogue 18)
# says: the matrices are transposed
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q.T @ x_n, beta_k + omega_k.T @ x_n, beta_v + omega_v.T @ x_n
