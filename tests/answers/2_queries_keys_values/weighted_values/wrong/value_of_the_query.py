# wrong: multiplies with the value of the query, i instead of j (catalogue 15)
# says: the value of the query is used
def weighted_values(weights, values):
    return weights[:, :, None] * values[:, None, :]
