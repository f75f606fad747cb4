def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if np.ptp(x, axis=0).max() == 0:
        raise ValueError('no evidence')
    orders = list(itertools.permutations(range(T))) if T <= 5 else [np.random.permutation(T) for _ in range(200)]
    y = np.asarray(f(x))
    results = np.stack([np.asarray(f(x[list(o)])) for o in orders])
    return bool(np.max(np.abs(results - y)) <= atol)
