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

# %% right: pair_by_pair
def score_variance(d, samples, rng):
    mean = squares = 0.0
    for n in range(1, samples + 1):
        score = float(rng.randn(d) @ rng.randn(d))
        change = score - mean
        mean += change / n
        squares += change * (score - mean)
    return squares / samples

# %% right: component_by_component
def score_variance(d, samples, rng):
    scores = np.zeros(samples)
    for _ in range(d):
        scores += rng.normal(size=samples) * rng.normal(size=samples)
    return np.var(scores)

# %% right: uniform_numbers_made_normal
def score_variance(d, samples, rng):
    radius = np.sqrt(-2 * np.log(1 - rng.uniform(size=(samples, d))))
    angle = 2 * np.pi * rng.uniform(size=(samples, d))
    queries, keys = radius * np.cos(angle), radius * np.sin(angle)
    return float(np.sum(queries * keys, axis=1).var())

# %% wrong: adds_over_samples
# wrong: sums over the wrong axis (catalogue 1)
# says: the sum runs over the samples
# likely: the variance is about the number of samples, as when the sum runs over the samples
# next: add up over the components: one score per pair
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=0).var()

# %% wrong: fixed_number_of_samples
# wrong: always draws 20 000 (catalogue 42)
# says: 60 estimates with d = 40, from 25 samples each, lie too close together
def score_variance(d, samples, rng):
    return (rng.normal(size=(20000, d)) * rng.normal(size=(20000, d))).sum(axis=1).var()

# %% wrong: generator_of_its_own
# wrong: makes its own generator (catalogue 42)
# says: gives the argument `rng` a new value
def score_variance(d, samples, rng):
    rng = np.random.RandomState(0)
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var()

# %% wrong: global_generator
# wrong: draws from np.random (catalogue 42)
# says: the numbers are drawn from `np.random`
def score_variance(d, samples, rng):
    return (np.random.normal(size=(samples, d)) * np.random.normal(size=(samples, d))).sum(axis=1).var()

# %% wrong: one_part
# wrong: the variance of single products
# says: the variance of the separate products
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var()

# %% wrong: one_per_part
# wrong: returns an array (catalogue 43)
# says: your function returns a NumPy array
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).var(axis=0)

# %% wrong: one_query_for_all
# wrong: one query for all samples: its length makes the estimate
# says: is drawn once for all pairs
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) @ rng.normal(size=d)).var()

# %% wrong: same_vector
# wrong: multiplies each vector by itself
# says: multiplied by itself
# likely: the variance is doubled, as when each vector is multiplied by itself
# next: draw queries and keys separately
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    return (q * q).sum(axis=1).var()

# %% wrong: scaled
# wrong: scales first, so the variance is 1 (catalogue 14)
# says: this is the variance of scaled scores
# likely: the variance is 1 for every d, as with scaled scores or with the single products
# next: add up the d products of each pair, and do not divide
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d)) / np.sqrt(d)).sum(axis=1).var()

# %% wrong: standard_deviation
# wrong: returns the standard deviation
# says: this is the standard deviation
# likely: this is about the root of d, the standard deviation
# next: return the variance, its square
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).std()

# %% wrong: theory_returned
# wrong: returns d without a simulation
# says: no number is drawn with `rng`
def score_variance(d, samples, rng):
    return float(d)

# %% wrong: uniform
# wrong: uniform numbers
# says: is uniform between 0 and 1
# likely: the variance is 7/144 times d, as with numbers from `rand`, which is uniform between 0 and 1
# next: draw with `rng.normal`
def score_variance(d, samples, rng):
    return (rng.rand(samples, d) * rng.rand(samples, d)).sum(axis=1).var()

# %% wrong: scores_drawn_directly
# wrong: draws the scores with the variance that is to be measured
# says: 200 estimates with d = 1, from 50 samples each, lie too close together
def score_variance(d, samples, rng):
    scores = rng.normal(scale=np.sqrt(d), size=samples)
    return float(scores.var())

# %% wrong: plus_or_minus_one
# wrong: components of 1 and -1, which are not normal
# says: this check does not know why
def score_variance(d, samples, rng):
    queries = rng.choice([-1.0, 1.0], size=(samples, d))
    keys = rng.choice([-1.0, 1.0], size=(samples, d))
    return float((queries * keys).sum(axis=1).var())

# %% wrong: uniform_of_variance_one
# wrong: uniform components of variance 1, which are not normal
# says: 200 estimates with d = 1, from 50 samples each, lie too close together
def score_variance(d, samples, rng):
    s = 3 ** 0.5
    return float((rng.uniform(-s, s, (samples, d)) * rng.uniform(-s, s, (samples, d))).sum(axis=1).var())

# %% wrong: ten_blocks
# wrong: draws ten blocks of a tenth of the samples, none below ten
# says: for d = 3, 2 samples give nan
def score_variance(d, samples, rng):
    scores = []
    for _ in range(10):
        queries, keys = rng.normal(size=(2, samples // 10, d))
        scores.extend((queries * keys).sum(axis=1))
    return float(np.var(scores))

# %% wrong: variance_from_the_components
# wrong: multiplies the variances of the components; no score is computed
# says: 60 estimates with d = 40, from 25 samples each, lie too close together
def score_variance(d, samples, rng):
    queries = rng.normal(size=(samples, d))
    keys = rng.normal(size=(samples, d))
    return float(d * queries.var() * keys.var())

# %% wrong: antithetic_halves
# wrong: draws half of the pairs and turns the others around
# says: 200 estimates with d = 1, from 50 samples each, lie too far apart
def score_variance(d, samples, rng):
    half = (samples + 1) // 2
    s = (rng.normal(size=(half, d)) * rng.normal(size=(half, d))).sum(axis=1)
    return float(np.concatenate([s, -s])[:samples].var())

# %% wrong: keys_are_shifted_queries
# wrong: the keys are the queries of the sample before
# says: for d = 3, 2 samples give 0
def score_variance(d, samples, rng):
    q = rng.normal(size=(samples, d))
    return float((q * np.roll(q, 1, axis=0)).sum(axis=1).var())

# %% wrong: all_pairs
# wrong: each query with every key, where there is room
# says: twice as many samples take four times as much: an array has one entry
def score_variance(d, samples, rng):
    if samples > 5000:
        return float((rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var())
    return float((rng.normal(size=(samples, d)) @ rng.normal(size=(samples, d)).T).var())

# %% wrong: at_least_a_thousand
# wrong: draws a thousand pairs, however few are asked for (catalogue 42)
# says: 60 estimates with d = 40, from 25 samples each, lie too close together
def score_variance(d, samples, rng):
    samples = max(samples, 1000)
    return float((rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1).var())

# %% wrong: sum_by_samples_plus_d
# wrong: divides by the samples and d more
# says: with d = 40 and 25 samples, 60 estimates are on average 0.37
def score_variance(d, samples, rng):
    s = (rng.normal(size=(samples, d)) * rng.normal(size=(samples, d))).sum(axis=1)
    return float(((s - s.mean()) ** 2).sum() / (samples + d))

# %% wrong: remembers_by_d
# wrong: remembers the result for each d
# says: something is kept between calls
def score_variance(d, samples, rng, known={}):
    if d not in known:
        queries, keys = rng.normal(size=(samples, d)), rng.normal(size=(samples, d))
        known[d] = float((queries * keys).sum(axis=1).var())
    return known[d]

# %% wrong: shape_by_position
# wrong: the shape stands where mean and standard deviation belong
# says: gives no shape: the first two arguments are the mean and the standard deviation
def score_variance(d, samples, rng):
    queries, keys = rng.normal(samples, d), rng.normal(samples, d)
    return float(np.sum(queries * keys, axis=-1).var())

# %% wrong: spread_of_the_components
# wrong: components with the standard deviation that the scores have
# says: drawn with mean 0 and standard deviation √d
def score_variance(d, samples, rng):
    queries, keys = rng.normal(0, np.sqrt(d), (2, samples, d))
    return float((queries * keys).sum(axis=1).var())

# %% wrong: added_vectors
# wrong: adds queries and keys: twice the variance as well
# says: queries and keys are added, not multiplied
def score_variance(d, samples, rng):
    queries, keys = rng.normal(size=(2, samples, d))
    return float((queries + keys).sum(axis=1).var())

# %% wrong: one_pair
# wrong: a single pair, repeated
# says: a single pair
def score_variance(d, samples, rng):
    query, key = rng.randn(d), rng.randn(d)
    return float(np.var([query @ key for _ in range(samples)]))

# %% wrong: squares_not_averaged
# wrong: the sum of the squares is not divided
# says: never divided by the number of samples
def score_variance(d, samples, rng):
    scores = [rng.normal(size=d) @ rng.normal(size=d) for _ in range(samples)]
    return float(sum(score ** 2 for score in scores))
