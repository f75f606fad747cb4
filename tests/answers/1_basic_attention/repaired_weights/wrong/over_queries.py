# wrong: gives both reductions the axis of the queries (catalogue 1)
# says: you normalised over queries
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
