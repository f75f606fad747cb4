# wrong: computes and returns nothing (catalogue 43)
# says: your function returns None
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ x_n
