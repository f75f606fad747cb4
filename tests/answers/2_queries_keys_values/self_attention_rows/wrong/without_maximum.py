# wrong: nan for long vectors (catalogue 7)
# says: nan or inf
def self_attention_rows(x, w_query, w_key, w_value):
    e = np.exp((x @ w_query) @ (x @ w_key).T)
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)
