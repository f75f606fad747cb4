# wrong: rounds the weights first, as the page does (catalogue 50)
# says: the weights were rounded before
def weighted_values(weights, values):
    return np.round(weights, 1)[:, :, None] * values
