# wrong: drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return (e / e.sum(axis=0)).squeeze()
