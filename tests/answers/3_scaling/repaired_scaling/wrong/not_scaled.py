# wrong: takes the scaling out (catalogue 9)
# says: the scores are not scaled
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) @ v
