def permute_tokens(x, permutation):
    result = np.empty_like(x)
    for i, source in enumerate(permutation):
        result[i] = x[source]
    return result
