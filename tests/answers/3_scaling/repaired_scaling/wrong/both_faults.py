# wrong: divides by d after the softmax (catalogue 10, 13)
# says: both faults of the clinic
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) / np.sqrt(k.shape[-1]) @ v
