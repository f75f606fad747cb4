# wrong: softmax over all entries (catalogue 2)
# says: over all entries
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - s.max())
    return e / e.sum() @ (x @ w_value)
