# wrong: keys ask, queries are asked; invisible in the integer example (catalogue 16)
# says: query and key have changed roles
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows((x @ w_key) @ (x @ w_query).T) @ (x @ w_value)
