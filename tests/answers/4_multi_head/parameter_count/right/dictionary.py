def parameter_count(k, heads, variant):
    try:
        factor = {'narrow': 1, 'wide': heads}[variant]
    except KeyError:
        raise ValueError(f'no such variant: {variant}')
    return factor * 4 * k ** 2 + k
