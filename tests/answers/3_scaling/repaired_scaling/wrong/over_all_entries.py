# wrong: softmax over all entries (catalogue 2)
# says: the largest difference
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    return softmax(s.ravel()).reshape(s.shape) @ v
