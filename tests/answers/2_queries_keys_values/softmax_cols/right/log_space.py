def softmax_cols(scores):
    return np.exp(scores - np.logaddexp.reduce(scores.astype(float), axis=0))
