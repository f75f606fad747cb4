# wrong: tries the identity only (catalogue 47)
# says: changes nothing
def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    if T <= 5:
        orders = [range(T)]
    else:
        orders = [range(T)]
    for order in orders:
        order = list(order)
        left = f(x[order])
        right = f(x)
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True
