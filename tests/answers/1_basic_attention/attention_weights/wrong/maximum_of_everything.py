# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def attention_weights(x):
    s = x @ x.T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True)
