# wrong: multiplies (T, T) with (T, d_v) entry by entry (catalogue 21)
# says: an axis was summed away or indexed away
def weighted_values(weights, values):
    return weights * values
