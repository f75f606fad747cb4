def all_orders(numbers):
    if not numbers:
        return [[]]
    return [[n] + rest for n in numbers for rest in all_orders([m for m in numbers if m != n])]


def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if not (x != x[0]).any():
        raise ValueError('every order is the same')
    orders = all_orders(list(range(T))) if T <= 5 else [list(np.random.permutation(T)) for _ in range(100)]
    verdict = True
    for order in orders:
        verdict = verdict and np.allclose(f(x[order]), f(x)[order], atol=atol, rtol=0.0)
    print('tried', len(orders), 'orders')
    return verdict
