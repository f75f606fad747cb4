# wrong: drops the axes of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def weighted_values(weights, values):
    return np.squeeze(weights[:, :, None] * values)
