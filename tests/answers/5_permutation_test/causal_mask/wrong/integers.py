# wrong: integers (catalogue 43)
# says: your mask holds int
def causal_mask(T):
    return np.tri(T, dtype=int)
