# wrong: the sums of the rows line up with the columns (catalogue 6)
# says: not divided by their own column's sum
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=1)
