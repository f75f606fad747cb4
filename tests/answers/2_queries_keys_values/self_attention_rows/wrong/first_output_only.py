# wrong: returns the first output alone (catalogue 43)
# says: an axis was summed away
def self_attention_rows(x, w_query, w_key, w_value):
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value))[0]
