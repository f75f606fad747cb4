# wrong: returns the number of tokens
# says: the number of tokens looked at is returned
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return np.exp(-(weights * np.log(safe)).sum(axis=-1))
