# wrong: transposes the matrices (catalogue 18)
# says: two arrays whose axes do not line up
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query.T) @ (x @ w_key.T).T) @ (x @ w_value.T)
