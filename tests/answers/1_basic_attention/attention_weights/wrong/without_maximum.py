# wrong: nan for long vectors (catalogue 7)
# says: 2 of 4 entries are nan or inf
def attention_weights(x):
    e = np.exp(x @ x.T)
    return e / e.sum(axis=1, keepdims=True)
