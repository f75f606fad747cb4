def is_permutation_invariant(f, x, atol=1e-6):
    # repeat the result for every token: then invariance is equivariance
    def repeated(z):
        return np.stack([np.atleast_1d(np.asarray(f(z), dtype=float)).ravel()] * len(z))
    return is_permutation_equivariant(repeated, x, atol)
