# wrong: the sum always runs down the columns (catalogue 1)
# says: rows of your weights sum to
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
