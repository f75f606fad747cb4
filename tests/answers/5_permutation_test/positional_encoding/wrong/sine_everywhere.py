# wrong: only sines
# says: all columns are sines
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i / k)
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.sin(angle)
    return result
