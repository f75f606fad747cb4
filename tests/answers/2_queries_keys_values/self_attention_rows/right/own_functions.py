def self_attention_rows(x, w_query, w_key, w_value):
    return softmax_rows(project(x, w_query) @ project(x, w_key).T) @ project(x, w_value)
