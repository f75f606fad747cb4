# wrong: query and key have changed places (catalogue 16)
# says: query and key have changed places
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_k + omega_k @ x_n, beta_q + omega_q @ x_n, beta_v + omega_v @ x_n
