def positional_encoding(T, k):
    columns = []
    for c in range(k):
        angle = np.arange(T) / np.power(10000, (c - c % 2) / k)
        columns.append(np.cos(angle) if c % 2 else np.sin(angle))
    return np.stack(columns, axis=1)
