# wrong: permutes as many columns as there are (catalogue 47)
# says: no mistake that this check knows
def permute_tokens(x, permutation):
    order = [i for i in permutation if i < x.shape[1]]
    return x[:, order]
