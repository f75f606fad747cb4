# wrong: uses the tuple as an index of axes
# says: one index per axis
def permute_tokens(x, permutation):
    return x[permutation]
