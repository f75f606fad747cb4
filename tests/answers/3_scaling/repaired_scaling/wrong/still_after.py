# wrong: divides after the softmax (catalogue 13)
# says: after the softmax
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) / np.sqrt(k.shape[-1]) @ v
