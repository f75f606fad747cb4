def is_permutation_equivariant(f, x, atol=1e-6):
    from random import Random
    T = len(x)
    if T < 2 or np.ptp(x, axis=0).max() == 0:
        raise ValueError('these tokens prove nothing')
    draw = Random(3)
    orders = itertools.permutations(range(T)) if T < 6 else [draw.sample(range(T), T) for _ in range(120)]
    y = f(x)
    for order in orders:
        order = np.array(order)
        back = np.argsort(order)
        if not np.isclose(f(x[order])[back], y, rtol=0, atol=atol).all():
            return False
    return True
