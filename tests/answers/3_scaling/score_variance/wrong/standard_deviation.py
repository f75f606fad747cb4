# wrong: returns the standard deviation
# says: this is the standard deviation
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).std()
