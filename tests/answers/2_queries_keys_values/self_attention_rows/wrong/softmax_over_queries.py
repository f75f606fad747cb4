# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_cols((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)
