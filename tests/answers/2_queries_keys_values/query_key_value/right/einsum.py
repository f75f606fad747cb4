def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + np.einsum("kd,dn->kn", omega_q, x_n)
    k = beta_k + np.einsum("kd,dn->kn", omega_k, x_n)
    v = beta_v + np.einsum("kd,dn->kn", omega_v, x_n)
    return (q, k, v)
