def parameter_count(k, heads, variant):
    sizes = {'narrow': [(k, k)] * 4 + [(k,)], 'wide': [(heads * k, k)] * 4 + [(k,)]}
    if variant not in sizes:
        raise ValueError("narrow or wide")
    return np.sum([np.prod(size) for size in sizes[variant]])
