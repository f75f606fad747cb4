def weighted_values(weights, values):
    T = len(values)
    return weights.reshape(T, T, 1) * values.reshape(1, T, -1)
