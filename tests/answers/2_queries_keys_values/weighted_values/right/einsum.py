def weighted_values(weights, values):
    return np.einsum("ij,jd->ijd", weights, values)
