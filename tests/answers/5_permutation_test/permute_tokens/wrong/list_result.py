# wrong: returns a list (catalogue 43)
# says: your function returns list
def permute_tokens(x, permutation):
    return [x[i] for i in permutation]
