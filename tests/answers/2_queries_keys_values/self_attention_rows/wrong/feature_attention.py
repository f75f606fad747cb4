# wrong: queries.T @ keys: features with features (catalogue 17)
# says: features with features
def self_attention_rows(x, w_query, w_key, w_value):
    weights = softmax_rows((x @ w_query).T @ (x @ w_key))
    return (x @ w_value) @ weights if weights.shape[0] == w_value.shape[1] else (x @ w_value)[:, :1] * weights.sum()
