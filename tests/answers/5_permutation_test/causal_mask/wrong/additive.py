# wrong: 0 and -inf, to be added (catalogue 34)
# says: as if to be added
def causal_mask(T):
    return np.triu(np.full((T, T), -np.inf), k=1)
