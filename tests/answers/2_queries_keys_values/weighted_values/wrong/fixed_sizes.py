# wrong: takes three tokens for granted (catalogue 42)
# says: comes from the notebook instead of from the arguments
def weighted_values(weights, values):
    return weights.reshape(3, 3, 1) * values[None]
