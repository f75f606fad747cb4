# wrong: makes floats of integers (catalogue 43)
# says: only the hidden tests see it
def permute_tokens(x, permutation):
    result = np.zeros(x.shape)
    for i, j in enumerate(permutation):
        result[i] = x[j]
    return result
