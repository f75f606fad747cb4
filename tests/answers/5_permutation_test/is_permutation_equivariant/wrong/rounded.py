# wrong: compares rounded numbers (catalogue 50)
# says: results near 1000 that differ
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
        if not np.array_equal(np.round(left, 3), np.round(right, 3)):
            return False
    return True
