# wrong: j <= i + 1 (catalogue 35)
# says: one token into the future
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=1)
