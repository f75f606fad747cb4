# wrong: returns d without a simulation
# says: computes the theory
def score_variance(d, samples, rng):
    return float(d)
