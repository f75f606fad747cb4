def permute_tokens(x, permutation):
    return x[np.array(permutation)]
