# wrong: normalises the weights in place (catalogue 41)
# says: in-place operation
def weighted_values(weights, values):
    z = weights[:, :, None] * values
    weights /= weights.sum(axis=0)
    return z
