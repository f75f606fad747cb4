# wrong: returns a column (catalogue 19)
# says: shape (3, 1)
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1, keepdims=True)
