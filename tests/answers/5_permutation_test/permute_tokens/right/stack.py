def permute_tokens(x, permutation):
    rows = list(x)
    return np.stack([rows[int(i)] for i in permutation])
