def softmax(scores, axis=-1):
    w = scores.astype(float)   # a copy
    w -= w.max(axis, keepdims=True)
    np.exp(w, out=w)
    w /= w.sum(axis, keepdims=True)
    return w
