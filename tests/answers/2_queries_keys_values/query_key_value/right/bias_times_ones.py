def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    ones = np.ones((1, x_n.shape[1]))
    return beta_q @ ones + omega_q @ x_n, beta_k @ ones + omega_k @ x_n, beta_v @ ones + omega_v @ x_n
