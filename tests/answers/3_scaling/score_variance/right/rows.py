def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    k = rng.normal(size=(samples, d))
    return np.var(np.sum(q * k, axis=1))
