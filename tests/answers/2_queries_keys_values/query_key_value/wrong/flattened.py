# wrong: returns arrays without the column axis (catalogue 46)
# says: an axis of length 1 was dropped
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return (beta_q + omega_q @ x_n)[:, 0], (beta_k + omega_k @ x_n)[:, 0], (beta_v + omega_v @ x_n)[:, 0]
