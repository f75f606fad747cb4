# wrong: subtracts the maximum of the other axis, which does not cancel (catalogue 8)
# says: a maximum of the other axis is subtracted
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
