def causal_mask(T):
    return np.array([[j <= i for j in range(T)] for i in range(T)])
