# wrong: sums over the wrong axis (catalogue 1)
# says: the sum runs over the samples
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=0).var()
