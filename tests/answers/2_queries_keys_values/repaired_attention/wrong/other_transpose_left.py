# wrong: takes only the other transpose away (catalogue 20)
# says: one of the two transposes is left
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    return softmax_rows(queries @ keys.T).T @ values
