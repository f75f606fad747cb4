# wrong: logarithm of base 2
# says: the logarithm has base 2
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log2(safe)).sum(axis=-1)
