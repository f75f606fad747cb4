def score_variance(d, samples, rng):
    q, k = rng.standard_normal((2, samples, d))
    return float(np.einsum("nd,nd->n", q, k).var(ddof=1))
