# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys changed roles
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        Q = head["omega_q"] @ X + head["beta_q"]
        K = head["omega_k"] @ X + head["beta_k"]
        V = head["omega_v"] @ X + head["beta_v"]
        scores = Q.T @ K / np.sqrt(Q.shape[0])
        scores = scores - scores.max(axis=0, keepdims=True)
        e = np.exp(scores)
        attention = e / e.sum(axis=0, keepdims=True)
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)
