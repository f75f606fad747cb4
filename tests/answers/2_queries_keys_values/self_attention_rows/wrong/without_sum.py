# wrong: does not normalise (catalogue 5)
# says: were not divided by their sum
def self_attention_rows(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    return np.exp(s - s.max(axis=1, keepdims=True)) @ (x @ w_value)
