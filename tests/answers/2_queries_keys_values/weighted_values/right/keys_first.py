def weighted_values(weights, values):
    # the well-known way: keys first, then the axes are exchanged
    return (values[:, None] * weights.T[:, :, None]).transpose(1, 0, 2)
