def score_variance(d, samples, rng):
    print("simuliere", samples)
    q, k = rng.normal(size=(samples, d)), rng.normal(size=(samples, d))
    s = np.array([np.inner(a, b) for a, b in zip(q, k)])
    return np.mean(s * s) - np.mean(s) ** 2
