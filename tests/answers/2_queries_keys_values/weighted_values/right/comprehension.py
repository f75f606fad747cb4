def weighted_values(weights, values):
    return np.array([[w * v for w, v in zip(row, values)] for row in weights])
