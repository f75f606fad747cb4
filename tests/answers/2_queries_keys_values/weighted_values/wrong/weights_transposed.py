# wrong: uses weights[j, i] (catalogue 20)
# says: `weights[j, i]` instead of
def weighted_values(weights, values):
    return weights.T[:, :, None] * values[None, :, :]
