# wrong: stores into whole numbers when the scores are whole (catalogue 43)
# says: cuts off all decimals
def softmax_cols(scores):
    result = np.zeros_like(scores)
    e = np.exp(scores - scores.max(axis=0))
    result[:] = e / e.sum(axis=0)
    return result
