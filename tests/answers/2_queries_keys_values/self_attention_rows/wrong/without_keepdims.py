# wrong: divides by another row's sum (catalogue 6)
# says: the sum of another row
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1) @ (x @ w_value)
