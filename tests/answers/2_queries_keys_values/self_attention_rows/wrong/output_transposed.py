# wrong: the output in columns (catalogue 19)
# says: rows and columns changed places
def self_attention_rows(x, w_query, w_key, w_value):
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)).T
