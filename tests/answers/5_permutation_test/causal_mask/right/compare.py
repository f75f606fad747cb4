def causal_mask(T):
    i = np.arange(T)
    return i[None, :] <= i[:, None]
