def self_attention_loops(x):
    i = 0
    while i < len(x):
        y = softmax(x @ x.T)[i] @ x  # i never grows
    return y
