def score_variance(d, samples, rng):
    q, k = (torch.from_numpy(rng.normal(size=(samples, d))) for _ in range(2))
    return float(torch.var((q * k).sum(dim=1)))
