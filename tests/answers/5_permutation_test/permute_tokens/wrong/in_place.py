# wrong: writes the new order into x (catalogue 41)
# says: an in-place operation
def permute_tokens(x, permutation):
    x[:] = x[list(permutation)]
    return x
