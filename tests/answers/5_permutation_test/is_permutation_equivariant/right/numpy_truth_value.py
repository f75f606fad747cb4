def is_permutation_equivariant(f, x, atol=1e-6):
    x = np.asarray(x)
    if np.all(x == x[0]):
        raise ValueError
    T = len(x)
    orders = itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(400))
    results = [np.all(np.abs(f(x[list(o)].copy()) - f(x.copy())[list(o)]) <= atol) for o in orders]
    return np.all(results)
