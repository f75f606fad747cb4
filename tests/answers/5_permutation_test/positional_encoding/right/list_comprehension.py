def positional_encoding(T, k):
    return np.array([[(np.cos if c % 2 else np.sin)(t / 10000 ** (2 * (c // 2) / k)) for c in range(k)] for t in range(T)])
