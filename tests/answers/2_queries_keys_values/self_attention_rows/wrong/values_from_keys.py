# wrong: the values use the key's matrix (catalogue 15)
# says: the values come from the key's matrix
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_key)
