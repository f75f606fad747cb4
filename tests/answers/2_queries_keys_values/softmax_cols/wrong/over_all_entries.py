# wrong: one sum for everything (catalogue 2)
# says: the whole matrix sums to 1.00
def softmax_cols(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()
