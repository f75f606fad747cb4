# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def self_attention_rows(x, w_query, w_key, w_value):
    return np.squeeze(softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value))
