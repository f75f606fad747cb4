# wrong: repairs the values only (catalogue 1)
# says: the wrong groups still sum to one
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    return softmax_rows((queries @ keys.T).T).T @ values
