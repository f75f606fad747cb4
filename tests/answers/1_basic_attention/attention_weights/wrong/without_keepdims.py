# wrong: divides by another row's sum (catalogue 6)
# says: not divided by their own row's sum
def attention_weights(x):
    s = x @ x.T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1)
