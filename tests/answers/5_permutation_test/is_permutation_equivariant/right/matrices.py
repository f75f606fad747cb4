def is_permutation_equivariant(f, x, atol=1e-6):
    T = x.shape[0]
    if (x == x[:1]).all():
        raise ValueError('all tokens are equal')
    if T <= 5:
        chosen = np.array(list(itertools.permutations(range(T))))
    else:
        chosen = np.array([np.random.permutation(T) for _ in range(300)])
    for permutation in chosen:
        P = np.eye(T)[permutation]
        with np.errstate(invalid='ignore'):
            if not np.abs(f(P @ x) - P @ f(x)).max() <= atol:
                return False
    return True
