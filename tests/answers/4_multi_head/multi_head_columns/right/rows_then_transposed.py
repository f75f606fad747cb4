def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        q = (head['omega_q'] @ X + head['beta_q']).T
        k = (head['omega_k'] @ X + head['beta_k']).T
        v = (head['omega_v'] @ X + head['beta_v']).T
        scores = q @ k.T / q.shape[1] ** 0.5
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        outputs.append(e / e.sum(axis=1, keepdims=True) @ v)
    return (np.hstack(outputs) @ omega_c.T).T
