def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    # als Zeile gerechnet und zurückgestellt
    zeile = x_n.T
    return (zeile @ omega_q.T + beta_q.T).T, (zeile @ omega_k.T + beta_k.T).T, (zeile @ omega_v.T + beta_v.T).T
