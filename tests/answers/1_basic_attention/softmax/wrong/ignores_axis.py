# wrong: the last axis, whatever `axis` says
# says: with axis=0
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
