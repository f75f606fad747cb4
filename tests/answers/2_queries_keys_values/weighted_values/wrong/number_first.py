# wrong: puts the numbers first (catalogue 19)
# says: the numbers of a value are the first axis
def weighted_values(weights, values):
    return np.einsum("ij,jd->dij", weights, values)
