# wrong: reverses the rows
# says: the rows are reversed
def permute_tokens(x, permutation):
    return x[::-1]
