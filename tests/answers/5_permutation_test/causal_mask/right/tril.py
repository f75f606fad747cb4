def causal_mask(T):
    return np.tril(np.ones((T, T))).astype(bool)
