# wrong: the verdict is turned around
# says: the verdict is turned around
def is_permutation_equivariant(f, x, atol=1e-6):
    T = x.shape[0]
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
            return True
    return False
