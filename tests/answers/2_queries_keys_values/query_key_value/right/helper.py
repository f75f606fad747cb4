def linear(x, omega, beta):
    return np.add(np.matmul(omega, x), beta)


def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return tuple(linear(x_n, o, b) for o, b in [(omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)])
