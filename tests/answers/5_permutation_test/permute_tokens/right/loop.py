def permute_tokens(x, permutation):
    return np.array([x[i] for i in permutation])
