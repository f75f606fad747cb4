def permute_tokens(x, permutation):
    result = x.copy()
    result[np.argsort(permutation)] = x
    return result
