# wrong: uses the notebook's weights (catalogue 42)
# says: comes from the notebook
def self_attention_rows(x, wq, wk, wv):
    return softmax_rows((x @ w_query) @ (x @ w_key).T) @ (x @ w_value)
