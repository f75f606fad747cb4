# wrong: the inverse permutation (catalogue 47)
# says: the other way round
def permute_tokens(x, permutation):
    return x[np.argsort(permutation)]
