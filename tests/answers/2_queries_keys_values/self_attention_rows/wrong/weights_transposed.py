# wrong: weights.T @ values (catalogue 20)
# says: or transposed the weights
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_query) @ (x @ w_key).T).T @ (x @ w_value)
