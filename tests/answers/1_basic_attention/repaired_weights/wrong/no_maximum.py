# wrong: drops the maximum altogether (catalogue 7)
# says: nan or inf
def repaired_weights(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)
