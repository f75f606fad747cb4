# wrong: the variance of single products
# says: or of the single products
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var()
