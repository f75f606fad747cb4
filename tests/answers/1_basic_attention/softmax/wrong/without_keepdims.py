# wrong: no keepdims: silently divides by another row's sum on square scores (catalogue 6)
# says: not divided by their own row's sum
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)
