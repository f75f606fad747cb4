# wrong: permutes rows and columns (catalogue 47)
# says: your code raised IndexError
def permute_tokens(x, permutation):
    order = list(permutation)
    return x[order][:, order]
