# wrong: adds up over the queries (catalogue 1)
# says: the sum runs over the queries
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=0)
