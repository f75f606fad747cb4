# wrong: divides after the softmax and makes the rows sum to one again (catalogue 9)
# says: the scores are not scaled
def repaired_scaling(q, k, v):
    weights = softmax(q @ k.T) / np.sqrt(k.shape[-1])
    return weights / weights.sum(axis=1, keepdims=True) @ v
