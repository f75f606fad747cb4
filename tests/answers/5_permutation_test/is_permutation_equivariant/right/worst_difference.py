def is_permutation_equivariant(f, x, atol=1e-6):
    if all(np.array_equal(row, x[0]) for row in x):
        raise ValueError('equal')
    T, worst = len(x), 0.0
    orders = list(itertools.permutations(range(T))) if T <= 5 else [np.random.RandomState(s).permutation(T) for s in range(100)]
    for order in orders:
        d = np.abs(f(x[list(order)]) - f(x)[list(order)])
        worst = max(worst, float('inf') if np.isnan(d).any() else d.max())
    return worst <= atol
