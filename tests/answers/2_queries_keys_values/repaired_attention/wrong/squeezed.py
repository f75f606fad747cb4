# wrong: drops the axis of a single token (catalogue 46)
# says: only the hidden tests see it
def repaired_attention(x, w_query, w_key, w_value):
    return np.squeeze(softmax_rows(x @ w_query @ (x @ w_key).T) @ (x @ w_value))
