# wrong: T = 4 is typed in (catalogue 42)
# says: shape
def causal_mask(T):
    return np.tri(4, dtype=bool)
