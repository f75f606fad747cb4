# wrong: prints the result and returns nothing (catalogue 43)
# says: your function returns None
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    print(e / e.sum(axis=axis, keepdims=True))
