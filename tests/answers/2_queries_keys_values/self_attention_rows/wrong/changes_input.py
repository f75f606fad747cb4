# wrong: centres x in place (catalogue 41)
# says: in-place operation
def self_attention_rows(x, w_query, w_key, w_value):
    y = softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)
    x -= x.mean(axis=0)
    return y
