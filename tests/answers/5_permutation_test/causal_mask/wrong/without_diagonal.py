# wrong: j < i (catalogue 35)
# says: may not look at itself
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=-1)
