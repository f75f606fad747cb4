def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if not np.any(x - x[0]):
        raise ValueError('all tokens are equal')
    eye = np.eye(T)
    for o in (itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(100))):
        if not (np.abs(f(eye[list(o)] @ x) - f(x)) <= atol).all():
            return False
    return True
