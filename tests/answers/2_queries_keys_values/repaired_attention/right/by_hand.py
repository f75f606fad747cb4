def repaired_attention(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - np.max(s, axis=1)[:, None])
    return (e @ (x @ w_value)) / np.sum(e, axis=1)[:, None]
