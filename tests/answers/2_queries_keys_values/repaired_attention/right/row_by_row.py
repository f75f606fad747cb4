def repaired_attention(x, w_query, w_key, w_value):
    rows = []
    for token in x:
        s = (x @ w_key) @ (token @ w_query)
        e = np.exp(s - s.max())
        rows.append(e / e.sum() @ (x @ w_value))
    return np.stack(rows)
