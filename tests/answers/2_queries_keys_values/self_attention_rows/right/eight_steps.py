def self_attention_rows(x, w_query, w_key, w_value):
    keys, queries, values = x @ w_key, x @ w_query, x @ w_value
    scores = queries @ keys.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weighted_values(weights, values).sum(axis=1)
