# wrong: leaves out weights below a thousandth (catalogue 50)
# says: the numbers were rounded
def attention_entropy(weights):
    safe = np.where(weights > 1e-3, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1)
