# wrong: every output is the mean
# says: the weights are not used
def self_attention_loops(x):
    return np.array([np.mean(x, axis=0) for _ in x])
