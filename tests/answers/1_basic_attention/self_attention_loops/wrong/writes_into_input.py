# wrong: stores the outputs in the input (catalogue 41)
# says: the largest difference
def self_attention_loops(x):
    weights = attention_weights(x)
    for i in range(len(x)):
        x[i] = weights[i] @ x
    return x
