# wrong: True means blocked (catalogue 34)
# says: True means “blocked”
def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)
