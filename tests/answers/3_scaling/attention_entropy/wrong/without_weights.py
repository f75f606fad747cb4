# wrong: sums the logarithms only
# says: without their weights
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -np.log(safe).sum(axis=-1)
