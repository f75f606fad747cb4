# wrong: each query sees itself and the one before
# says: no mistake that this check knows
def causal_mask(T):
    i = np.arange(T)
    d = i[:, None] - i[None, :]
    return (d == 0) | (d == 1)
