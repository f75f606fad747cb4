# wrong: puts the numbers first (catalogue 19)
# says: the axes are in another order
def weighted_values(weights, values):
    return np.einsum("ij,jd->dij", weights, values)
