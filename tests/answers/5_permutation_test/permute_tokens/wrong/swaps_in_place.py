# wrong: swaps rows one after the other: later swaps undo earlier ones
# says: no mistake that this check knows
def permute_tokens(x, permutation):
    y = x.copy()
    for i, j in enumerate(permutation):
        y[[i, j]] = y[[j, i]]
    return y
