# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
def causal_mask(T):
    return np.squeeze(np.tri(T, dtype=bool))
