# wrong: the template's zeros are returned
# says: every entry is zero
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, key, value = np.zeros(beta_q.shape), np.zeros(beta_k.shape), np.zeros(beta_v.shape)
    q = beta_q + omega_q @ x_n
    k = beta_k + omega_k @ x_n
    v = beta_v + omega_v @ x_n
    return query, key, value
