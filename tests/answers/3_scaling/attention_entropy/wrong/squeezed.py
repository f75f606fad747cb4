# wrong: returns a number for a single token (catalogue 46)
# says: an axis of length 1 was dropped
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return np.squeeze(np.asarray(-(weights * np.log(safe)).sum(axis=-1)))
