# wrong: multiplies without new axes (catalogue 21)
# says: the axes are there, but
def weighted_values(weights, values):
    return weights[:, None, :] * values
