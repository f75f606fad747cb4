def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ x_n
    key = beta_k + omega_k @ x_n
    value = beta_v + omega_v @ x_n
    return query, key, value
