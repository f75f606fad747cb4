def repaired_weights(scores):
    highest = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - highest)
    total = e.sum(axis=1, keepdims=True)
    return e / total
