def self_attention_rows(x, w_query, w_key, w_value):
    # (W X) W_v ist dasselbe wie W (X W_v)
    return (softmax_rows((x @ w_query) @ (x @ w_key).T) @ x) @ w_value
