def soft_down(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


def one_head(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    ones = np.ones((1, X.shape[1]))
    q, k, v = beta_q @ ones + omega_q @ X, beta_k @ ones + omega_k @ X, beta_v @ ones + omega_v @ X
    return v @ soft_down(k.T @ q / np.sqrt(len(q)))


def multi_head_columns(X, heads, omega_c):
    return omega_c @ np.concatenate([one_head(X, **head) for head in heads])
