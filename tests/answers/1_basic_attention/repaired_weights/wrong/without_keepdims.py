# wrong: forgets keepdims: another row's numbers (catalogue 6)
# says: rows sum to
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)
