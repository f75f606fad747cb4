def softmax(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    log_total = top + np.log(np.sum(np.exp(scores - top), axis=axis, keepdims=True))
    return np.exp(scores - log_total)
