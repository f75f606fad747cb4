def score_variance(d, samples, rng):
    scores = []
    for _ in range(samples):
        query = rng.randn(d)
        key = rng.randn(d)
        scores.append(query @ key)
    mean = sum(scores) / samples
    return sum((score - mean) ** 2 for score in scores) / samples
