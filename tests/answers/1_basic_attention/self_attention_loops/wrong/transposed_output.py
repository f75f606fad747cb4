# wrong: tokens in columns (catalogue 19)
# says: the axes are in another order
def self_attention_loops(x):
    return (attention_weights(x) @ x).T
