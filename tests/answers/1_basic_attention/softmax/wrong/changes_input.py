# wrong: subtracts in place, so the caller's array changes (catalogue 41)
# says: an in-place operation on the argument
def softmax(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)
