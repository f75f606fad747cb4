def softmax_cols(scores):
    # down the columns the shapes line up without keepdims
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)
