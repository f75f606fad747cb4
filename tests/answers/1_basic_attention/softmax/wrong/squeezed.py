# wrong: squeeze() drops an axis of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).squeeze()
