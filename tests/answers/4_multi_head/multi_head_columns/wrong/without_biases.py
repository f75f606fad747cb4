# wrong: biases left out
# says: the biases are left out
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        Q = head["omega_q"] @ X
        K = head["omega_k"] @ X
        V = head["omega_v"] @ X
        scores = K.T @ Q / np.sqrt(Q.shape[0])
        scores = scores - scores.max(axis=0, keepdims=True)
        e = np.exp(scores)
        attention = e / e.sum(axis=0, keepdims=True)
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)
