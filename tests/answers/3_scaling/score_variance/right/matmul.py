def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, 1, d))
    k = rng.normal(size=(samples, d, 1))
    return (q @ k).var().item()
