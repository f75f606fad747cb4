# wrong: returns the sum already
# says: an axis was summed away
def weighted_values(weights, values):
    return weights @ values
