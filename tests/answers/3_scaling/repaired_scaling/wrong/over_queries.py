# wrong: softmax over the queries (catalogue 1)
# says: the largest difference
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(k.shape[-1]), axis=0) @ v
