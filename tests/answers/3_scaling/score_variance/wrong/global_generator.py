# wrong: draws from np.random (catalogue 42)
# says: from `np.random...` instead of from `rng`
def score_variance(d, samples, rng):
    return (np.random.normal(size=(samples, d)) * np.random.normal(size=(samples, d))).sum(axis=1).var()
