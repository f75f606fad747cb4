# wrong: drops the axis of a single query (catalogue 46)
# says: only the hidden tests see it
def repaired_scaling(q, k, v):
    return np.squeeze(softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v)
