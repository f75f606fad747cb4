# wrong: `*` for the scores (catalogue 21)
# says: the largest difference
def self_attention_rows(x, w_query, w_key, w_value):
    queries, keys = x @ w_query, x @ w_key
    scores = queries * keys.T if queries.shape == keys.T.shape else queries @ keys.T
    return softmax_rows(scores) @ (x @ w_value)
