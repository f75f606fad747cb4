# Right and wrong answers to `score_variance`; authoring/README.md says how they are written.

# %% right: einsum
def score_variance(d, samples, rng):
    q, k = rng.standard_normal((2, samples, d))
    return float(np.einsum("nd,nd->n", q, k).var(ddof=1))

# %% right: matmul
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, 1, d))
    k = rng.normal(size=(samples, d, 1))
    return (q @ k).var().item()

# %% right: mean_of_squares
def score_variance(d, samples, rng):
    # the mean is known to be 0
    scores = (rng.normal(0, 1, (d, samples)) * rng.normal(0, 1, (d, samples))).sum(axis=0)
    return (scores ** 2).mean()

# %% right: one_pair_at_a_time
def score_variance(d, samples, rng):
    scores = []
    for _ in range(samples):
        query = rng.randn(d)
        key = rng.randn(d)
        scores.append(query @ key)
    mean = sum(scores) / samples
    return sum((score - mean) ** 2 for score in scores) / samples

# %% right: rows
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    k = rng.normal(size=(samples, d))
    return np.var(np.sum(q * k, axis=1))

# %% right: torch_statistics
def score_variance(d, samples, rng):
    q, k = (torch.from_numpy(rng.normal(size=(samples, d))) for _ in range(2))
    return float(torch.var((q * k).sum(dim=1)))

# %% right: two_means
def score_variance(d, samples, rng):
    print("simuliere", samples)
    q, k = rng.normal(size=(samples, d)), rng.normal(size=(samples, d))
    s = np.array([np.inner(a, b) for a, b in zip(q, k)])
    return np.mean(s * s) - np.mean(s) ** 2

# %% wrong: adds_over_samples
# wrong: sums over the wrong axis (catalogue 1)
# says: the sum runs over the samples
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=0).var()

# %% wrong: fixed_number_of_samples
# wrong: always draws 20 000 (catalogue 42)
# says: only the hidden tests see it
def score_variance(d, samples, rng):
    return (rng.normal(size=(20000, d)) * rng.normal(size=(20000, d))).sum(axis=1).var()

# %% wrong: generator_of_its_own
# wrong: makes its own generator (catalogue 42)
# says: makes a generator of its own
def score_variance(d, samples, rng):
    rng = np.random.RandomState(0)
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var()

# %% wrong: global_generator
# wrong: draws from np.random (catalogue 42)
# says: from `np.random...` instead of from `rng`
def score_variance(d, samples, rng):
    return (np.random.normal(size=(samples, d)) * np.random.normal(size=(samples, d))).sum(axis=1).var()

# %% wrong: one_part
# wrong: the variance of single products
# says: or of the single products
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var()

# %% wrong: one_per_part
# wrong: returns an array (catalogue 43)
# says: your function returns a NumPy array
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var(axis=0)

# %% wrong: one_query_for_all
# wrong: one query for all samples: its length makes the estimate
# says: no mistake that this check knows
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) @ rng.normal(size=d)).var()

# %% wrong: same_vector
# wrong: multiplies each vector by itself
# says: multiplied by itself
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    return (q * q).sum(axis=1).var()

# %% wrong: scaled
# wrong: scales first, so the variance is 1 (catalogue 14)
# says: this is the variance of scaled scores
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d)) / np.sqrt(d)).sum(axis=1).var()

# %% wrong: standard_deviation
# wrong: returns the standard deviation
# says: this is the standard deviation
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).std()

# %% wrong: theory_returned
# wrong: returns d without a simulation
# says: computes the theory
def score_variance(d, samples, rng):
    return float(d)

# %% wrong: uniform
# wrong: uniform numbers
# says: is uniform between 0 and 1
def score_variance(d, samples, rng):
    return (rng.rand(samples, d) * rng.rand(samples, d)).sum(axis=1).var()
