# wrong: returns outputs of the notebook's X (catalogue 42)
# says: a variable of the notebook
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    attention = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return np.hstack([one_output(n, globals()["X"], *(globals()[name] for name in (
        "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v"))) for n in range(N)]), attention
