def is_permutation_equivariant(f, x, atol=1e-6):
    if len(np.unique(x, axis=0)) == 1:
        raise ValueError('no evidence')
    T = len(x)
    def orders():
        if T <= 5:
            yield from itertools.permutations(range(T))
        else:
            rng = np.random.default_rng(7)
            for _ in range(150):
                yield rng.permutation(T)
    return all(bool(np.max(np.abs(f(permute_tokens(x, p)) - permute_tokens(f(x), p))) <= atol) for p in orders())
