# wrong: permutes the columns (catalogue 47)
# says: the columns were permuted
def is_permutation_equivariant(f, x, atol=1e-6):
    T = x.shape[1]
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    if T <= 6:
        orders = list(itertools.permutations(range(T)))
    else:
        orders = [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        left = f(x[:, order])
        right = f(x)[:, order]
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True
