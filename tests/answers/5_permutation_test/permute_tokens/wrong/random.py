# wrong: draws a permutation of its own (catalogue 42)
# says: no mistake that this check knows
def permute_tokens(x, permutation):
    return x[np.random.RandomState(1).permutation(len(x))]
