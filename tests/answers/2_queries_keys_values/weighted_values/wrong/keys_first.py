# wrong: the first axis is the key (catalogue 19)
# says: the first axis is the key
def weighted_values(weights, values):
    return values[:, None] * weights.T[:, :, None]
