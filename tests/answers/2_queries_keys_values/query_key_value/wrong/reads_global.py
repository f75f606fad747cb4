# wrong: uses the first column of the notebook's X (catalogue 42)
# says: comes from the notebook instead of from the arguments
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x = X[:, :1]
    return beta_q + omega_q @ x, beta_k + omega_k @ x, beta_v + omega_v @ x
