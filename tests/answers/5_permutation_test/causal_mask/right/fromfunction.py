def causal_mask(T):
    return np.fromfunction(lambda i, j: j <= i, (T, T))
