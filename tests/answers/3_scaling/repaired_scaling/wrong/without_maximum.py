# wrong: its own softmax overflows (catalogue 7)
# says: nan or inf
def repaired_scaling(q, k, v):
    e = np.exp(q @ k.T / np.sqrt(k.shape[-1]))
    return e / e.sum(axis=1, keepdims=True) @ v
