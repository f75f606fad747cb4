# wrong: mean instead of sum
# says: the mean over the keys
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).mean(axis=-1)
