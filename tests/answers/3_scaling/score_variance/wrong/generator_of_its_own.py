# wrong: makes its own generator (catalogue 42)
# says: makes a generator of its own
def score_variance(d, samples, rng):
    rng = np.random.RandomState(0)
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var()
