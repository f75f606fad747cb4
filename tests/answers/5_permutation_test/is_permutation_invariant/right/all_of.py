def is_permutation_invariant(f, x, atol=1e-6):
    if (x == x[0]).all():
        raise ValueError('equal tokens')
    T = len(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    return all(np.all(np.abs(np.asarray(f(x[list(o)])) - f(x)) <= atol) for o in orders)
