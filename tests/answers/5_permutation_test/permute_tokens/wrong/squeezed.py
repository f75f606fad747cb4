# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
def permute_tokens(x, permutation):
    return np.squeeze(x[list(permutation)])
