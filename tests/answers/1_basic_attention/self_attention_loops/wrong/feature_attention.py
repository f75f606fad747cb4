# wrong: mixes features, not tokens (catalogue 17)
# says: the largest difference
def self_attention_loops(x):
    return x @ softmax(x.T @ x)
