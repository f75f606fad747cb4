# wrong: goes over three columns, whatever comes (catalogue 42)
# says: an axis that the array does not have
def softmax_cols(scores):
    result = np.empty(scores.shape)
    for n in range(3):
        e = np.exp(scores[:, n] - scores[:, n].max())
        result[:, n] = e / e.sum()
    return result
