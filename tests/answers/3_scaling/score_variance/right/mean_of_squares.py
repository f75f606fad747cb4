def score_variance(d, samples, rng):
    # the mean is known to be 0
    scores = (rng.normal(0, 1, (d, samples)) * rng.normal(0, 1, (d, samples))).sum(axis=0)
    return (scores ** 2).mean()
