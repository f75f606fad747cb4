# wrong: replaces the zeros in place (catalogue 41)
# says: in-place operation
def attention_entropy(weights):
    result = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)
    weights[weights == 0] = 1
    return result
