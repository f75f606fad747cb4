# wrong: repairs the trap and leaves the sum (catalogue 2)
# says: the whole matrix sums to 1.00
def repaired_weights(scores):
    highest = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - highest)
    total = e.sum()
    return e / total
