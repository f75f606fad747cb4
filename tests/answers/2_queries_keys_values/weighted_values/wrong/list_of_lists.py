# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def weighted_values(weights, values):
    return [[w * v for w, v in zip(row, values)] for row in weights]
