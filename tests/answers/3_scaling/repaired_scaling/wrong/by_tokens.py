# wrong: root of the number of keys (catalogue 12)
# says: another length than the one
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(k.shape[0])) @ v
