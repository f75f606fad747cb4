# wrong: adds to the bias in place (catalogue 41)
# says: in-place operation
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    beta_q += omega_q @ x_n
    beta_k += omega_k @ x_n
    beta_v += omega_v @ x_n
    return beta_q, beta_k, beta_v
