# wrong: tries one random order (catalogue 47)
# says: not every order is tried
def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    if T <= 5:
        orders = [np.random.RandomState(1).permutation(T)]
    else:
        orders = [np.random.RandomState(1).permutation(T)]
    for order in orders:
        order = list(order)
        left = f(x[order])
        right = f(x)
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True
