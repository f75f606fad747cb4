# wrong: scales the query matrices in place (catalogue 41)
# says: other values
def multi_head_columns(X, heads, omega_c):
    outputs = []
    for head in heads:
        head["omega_q"] /= 2
        head["omega_q"] *= 3
        head["beta_q"] = head["beta_q"] * 1.5
        Q = head["omega_q"] @ X + head["beta_q"]
        K = head["omega_k"] @ X + head["beta_k"]
        V = head["omega_v"] @ X + head["beta_v"]
        scores = K.T @ Q / (1.5 * np.sqrt(Q.shape[0]))
        scores = scores - scores.max(axis=0, keepdims=True)
        e = np.exp(scores)
        attention = e / e.sum(axis=0, keepdims=True)
        outputs.append(V @ attention)
    return omega_c @ np.vstack(outputs)
