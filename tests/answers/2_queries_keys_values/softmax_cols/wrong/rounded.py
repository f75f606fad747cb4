# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return np.round(e / e.sum(axis=0), 3)
