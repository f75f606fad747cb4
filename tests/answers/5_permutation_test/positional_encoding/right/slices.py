def positional_encoding(T, k):
    result = np.zeros((T, k))
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    result[:, 0::2] = np.sin(t * rate)
    result[:, 1::2] = np.cos(t * rate)[:, :k // 2]
    return result
