# wrong: permutes the columns (catalogue 47)
# says: your code raised IndexError
def permute_tokens(x, permutation):
    return x[:, list(permutation)]
