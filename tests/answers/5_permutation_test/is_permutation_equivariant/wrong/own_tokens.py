# wrong: tries its own tokens instead of x (catalogue 42)
# says: your code raised
def is_permutation_equivariant(f, x, atol=1e-6):
    x = np.random.RandomState(0).normal(size=(4, 4))
    T = 4
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    if T <= 5:
        orders = list(itertools.permutations(range(T)))
    else:
        orders = [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        left = f(x[order])
        right = f(x)[order]
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True
