# wrong: nothing is masked (catalogue 40)
# says: no mistake that this check knows
def causal_mask(T):
    return np.ones((T, T), dtype=bool)
