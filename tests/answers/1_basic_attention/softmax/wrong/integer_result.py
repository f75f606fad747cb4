# wrong: stores weights in an array of the input's type: integers cut them to 0 (catalogue 43)
# says: integer
def softmax(scores, axis=-1):
    result = np.zeros_like(scores)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    result[...] = e / e.sum(axis=axis, keepdims=True)
    return result
