# wrong: repairs the axis only (catalogue 15)
# says: the inputs are mixed instead of the values
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys = x @ w_query, x @ w_key
    return softmax_rows(queries @ keys.T) @ x
