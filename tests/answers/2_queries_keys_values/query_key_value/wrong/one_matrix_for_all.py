# wrong: all three use the matrix of the query (catalogue 15)
# says: all three use the matrix of the query
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_k + omega_q @ x_n, beta_v + omega_q @ x_n
