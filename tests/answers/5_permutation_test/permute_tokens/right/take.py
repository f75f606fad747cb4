def permute_tokens(x, permutation):
    return np.take(x, permutation, axis=0)
