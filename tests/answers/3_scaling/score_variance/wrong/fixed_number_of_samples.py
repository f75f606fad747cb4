# wrong: always draws 20 000 (catalogue 42)
# says: only the hidden tests see it
def score_variance(d, samples, rng):
    return (rng.normal(size=(20000, d)) * rng.normal(size=(20000, d))).sum(axis=1).var()
