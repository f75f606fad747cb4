# wrong: returns query and key only (catalogue 43)
# says: your function returns 2 parts
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_k + omega_k @ x_n
