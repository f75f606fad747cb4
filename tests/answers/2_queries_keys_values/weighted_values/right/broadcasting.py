def weighted_values(weights, values):
    return weights[:, :, None] * values[None, :, :]
