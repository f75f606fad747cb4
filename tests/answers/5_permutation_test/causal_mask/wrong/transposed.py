# wrong: the past looks at the future (catalogue 36)
# says: the past looks at the future
def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool))
