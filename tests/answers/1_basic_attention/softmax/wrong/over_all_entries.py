# wrong: one sum over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max())
    return e / e.sum()
