# wrong: weights that are normalised over the queries (catalogue 1)
# says: the largest difference
def self_attention_loops(x):
    weights = softmax(x @ x.T, axis=0)
    return np.array([row @ x for row in weights])
