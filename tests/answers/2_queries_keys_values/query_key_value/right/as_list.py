def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    parts = []
    for omega, beta in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)):
        parts.append(beta + omega.dot(x_n))
    return parts
