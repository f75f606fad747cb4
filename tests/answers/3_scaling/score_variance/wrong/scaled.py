# wrong: scales first, so the variance is 1 (catalogue 14)
# says: this is the variance of scaled scores
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d)) / np.sqrt(d)).sum(axis=1).var()
