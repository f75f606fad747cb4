# wrong: the bias of the query is used three times
# says: the bias of the query is used for all
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_q + omega_k @ x_n, beta_q + omega_v @ x_n
