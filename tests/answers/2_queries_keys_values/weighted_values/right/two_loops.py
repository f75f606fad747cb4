def weighted_values(weights, values):
    T, d_v = values.shape
    z = np.zeros((T, T, d_v))
    for i in range(T):
        for j in range(T):
            z[i, j] = weights[i, j] * values[j]
    return z
