def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return np.dot(omega_q, x_n) + beta_q, np.dot(omega_k, x_n) + beta_k, np.dot(omega_v, x_n) + beta_v
