def softmax_cols(scores):
    return softmax_rows(scores.T).T
