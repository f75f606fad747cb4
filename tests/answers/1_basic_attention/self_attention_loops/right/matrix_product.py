def self_attention_loops(x):
    return attention_weights(x) @ x
