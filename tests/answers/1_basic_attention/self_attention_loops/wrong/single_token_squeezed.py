# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def self_attention_loops(x):
    return np.squeeze(np.array([row @ x for row in attention_weights(x)]))
