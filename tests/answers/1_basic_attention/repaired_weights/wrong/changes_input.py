# wrong: subtracts in place (catalogue 41)
# says: an in-place operation on the argument
def repaired_weights(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)
