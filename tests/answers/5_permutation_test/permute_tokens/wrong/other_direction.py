# wrong: scatters instead of gathering (catalogue 47)
# says: the other way round
def permute_tokens(x, permutation):
    result = np.empty_like(x)
    result[list(permutation)] = x
    return result
