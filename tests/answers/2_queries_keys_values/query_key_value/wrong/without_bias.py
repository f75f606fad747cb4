# wrong: leaves the biases out
# says: the biases are missing
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return omega_q @ x_n, omega_k @ x_n, omega_v @ x_n
