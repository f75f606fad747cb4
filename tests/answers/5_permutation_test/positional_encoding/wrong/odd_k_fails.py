# wrong: an odd k is not handled
# says: your code raised
def positional_encoding(T, k):
    result = np.zeros((T, k))
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    result[:, 0::2] = np.sin(t * rate)
    result[:, 1::2] = np.cos(t * rate)
    return result
