# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ v
