# wrong: divides q in place (catalogue 41)
# says: in-place operation
def repaired_scaling(q, k, v):
    q /= np.sqrt(q.shape[-1])
    return softmax(q @ k.T) @ v
