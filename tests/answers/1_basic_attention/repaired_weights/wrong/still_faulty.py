# wrong: repairs nothing (catalogue 2)
# says: the whole matrix sums to 1.00
def repaired_weights(scores):
    highest = scores.max()
    e = np.exp(scores - highest)
    total = e.sum()
    return e / total
