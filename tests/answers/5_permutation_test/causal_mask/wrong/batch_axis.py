# wrong: an axis too many
# says: shape
def causal_mask(T):
    return np.tri(T, dtype=bool)[None]
