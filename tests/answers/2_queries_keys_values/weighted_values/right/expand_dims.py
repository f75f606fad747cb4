def weighted_values(weights, values):
    return np.multiply(np.expand_dims(weights, -1), values)
