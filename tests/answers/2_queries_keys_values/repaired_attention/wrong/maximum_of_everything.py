# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def repaired_attention(x, w_query, w_key, w_value):
    s = x @ w_query @ (x @ w_key).T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)
