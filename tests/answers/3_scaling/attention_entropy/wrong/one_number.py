# wrong: one number for the whole matrix (catalogue 2)
# says: an axis was summed away
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return np.array(-(weights * np.log(safe)).sum())
