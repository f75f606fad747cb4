# wrong: one sum over all entries (catalogue 2)
# says: the sum runs over all entries
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        Q = head["omega_q"] @ X + head["beta_q"]
        K = head["omega_k"] @ X + head["beta_k"]
        V = head["omega_v"] @ X + head["beta_v"]
        scores = K.T @ Q / np.sqrt(Q.shape[0])
        scores = scores - scores.max()
        e = np.exp(scores)
        attention = e / e.sum()
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)
