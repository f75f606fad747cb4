# wrong: repairs the sum and leaves the trap (catalogue 8)
# says: nan or inf
def repaired_weights(scores):
    highest = scores.max()
    e = np.exp(scores - highest)
    total = e.sum(axis=-1, keepdims=True)
    return e / total
