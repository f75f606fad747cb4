# wrong: one query for all samples: its length makes the estimate
# says: no mistake that this check knows
def score_variance(d, samples, rng):
    return (rng.normal(size=(samples, d)) @ rng.normal(size=d)).var()
