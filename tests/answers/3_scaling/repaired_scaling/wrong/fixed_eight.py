# wrong: divides by 8, the root of this example's 64 (catalogue 42)
# says: the largest difference
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / 8) @ v
