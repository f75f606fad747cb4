# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.round(e / e.sum(axis=axis, keepdims=True), 3)
