# wrong: computes with few digits (catalogue 43)
# says: only the hidden tests see it
def self_attention_rows(x, w_query, w_key, w_value):
    x = x.astype(np.float16)
    return softmax_rows((x @ w_query.astype(np.float16)) @ (x @ w_key.astype(np.float16)).T) @ (x @ w_value.astype(np.float16))
