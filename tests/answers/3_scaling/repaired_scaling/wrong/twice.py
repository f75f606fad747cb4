# wrong: before and after (catalogue 13)
# says: scaled twice
def repaired_scaling(q, k, v):
    root = np.sqrt(k.shape[-1])
    return softmax(q @ k.T / root) / root @ v
