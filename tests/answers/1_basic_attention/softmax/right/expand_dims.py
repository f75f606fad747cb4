def softmax(scores, axis=-1):
    scores = scores.astype("float64")
    shifted = scores - np.expand_dims(np.amax(scores, axis), axis)
    numerator = np.exp(shifted)
    return np.divide(numerator, np.expand_dims(np.add.reduce(numerator, axis), axis))
