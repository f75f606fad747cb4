# wrong: clips the scores instead of shifting them: finite and wrong
# says: scores of ±10 000
def softmax(scores, axis=-1):
    e = np.exp(np.clip(scores, -500, 500))
    return e / e.sum(axis=axis, keepdims=True)
