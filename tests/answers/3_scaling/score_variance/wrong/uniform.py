# wrong: uniform numbers
# says: is uniform between 0 and 1
def score_variance(d, samples, rng):
    return (rng.rand(samples, d) * rng.rand(samples, d)).sum(axis=1).var()
