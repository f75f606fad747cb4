# wrong: returns a list (catalogue 43)
# says: your function returns list
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return list(-(weights * np.log(safe)).sum(axis=-1))
