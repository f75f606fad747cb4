# wrong: joins the three into one array (catalogue 43)
# says: the parts is missing, or they were joined
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return np.array([beta_q + omega_q @ x_n, beta_k + omega_k @ x_n, beta_v + omega_v @ x_n])
