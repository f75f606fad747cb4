# wrong: fills an array of whole numbers when the values are whole (catalogue 43)
# says: cuts off all decimals
def weighted_values(weights, values):
    z = np.zeros((len(values), *values.shape), dtype=values.dtype if values.dtype.kind == "i" else float)
    z[:] = weights[:, :, None] * values
    return z
