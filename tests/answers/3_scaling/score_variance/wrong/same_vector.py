# wrong: multiplies each vector by itself
# says: multiplied by itself
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    return (q * q).sum(axis=1).var()
