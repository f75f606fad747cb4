# wrong: divides by d (catalogue 10)
# says: divided by d itself
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) @ v
