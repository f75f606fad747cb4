def some_orders(T):
    if T <= 5:
        return [list(o) for o in itertools.permutations(range(T))]
    return [np.random.RandomState(s).permutation(T) for s in range(150)]


def is_permutation_invariant(f, x, atol=1e-6):
    if len(np.unique(x, axis=0)) < 2:
        raise ValueError('equal rows')
    for order in some_orders(len(x)):
        if not np.allclose(f(permute_tokens(x, order)), f(x), atol=atol, rtol=0):
            return False
    return True
