def repaired_weights(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
