# wrong: no scale (catalogue 9)
# says: the scores are not scaled
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        Q = head["omega_q"] @ X + head["beta_q"]
        K = head["omega_k"] @ X + head["beta_k"]
        V = head["omega_v"] @ X + head["beta_v"]
        scores = K.T @ Q
        scores = scores - scores.max(axis=0, keepdims=True)
        e = np.exp(scores)
        attention = e / e.sum(axis=0, keepdims=True)
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)
