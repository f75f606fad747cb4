# wrong: nan for long vectors (catalogue 7)
# says: long vectors|nan or inf
def attention_weights(x):
    e = np.exp(x @ x.T)
    return e / e.sum(axis=1, keepdims=True)
