# wrong: powers of two
# says: the powers are powers of two
def softmax(scores, axis=-1):
    e = 2.0 ** (scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
