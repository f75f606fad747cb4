# wrong: nan for large scores (catalogue 7)
# says: nan or inf
def softmax_cols(scores):
    e = np.exp(scores)
    return e / e.sum(axis=0)
