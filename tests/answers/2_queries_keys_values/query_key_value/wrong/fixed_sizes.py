# wrong: fills zeros of the notebook's size D (catalogue 42)
# says: comes from the notebook
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, key, value = np.zeros((D, 1)), np.zeros((D, 1)), np.zeros((D, 1))
    query += beta_q + omega_q @ x_n
    key += beta_k + omega_k @ x_n
    value += beta_v + omega_v @ x_n
    return query, key, value
