# wrong: subtracts in place (catalogue 41)
# says: in-place operation
def softmax_cols(scores):
    scores -= scores.max(axis=0)
    e = np.exp(scores)
    return e / e.sum(axis=0)
