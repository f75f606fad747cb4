def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    d = len(omega_q)
    all_of_them = np.vstack([omega_q, omega_k, omega_v]) @ x_n + np.vstack([beta_q, beta_k, beta_v])
    return all_of_them[:d], all_of_them[d:2 * d], all_of_them[2 * d:]
