# wrong: returns an array (catalogue 43)
# says: your function returns a NumPy array
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var(axis=0)
