def positional_encoding(T, k):
    c = np.arange(k)
    angle = np.outer(np.arange(T), 10000.0 ** (-2 * (c // 2) / k))
    return np.sin(angle + (c % 2) * np.pi / 2)
