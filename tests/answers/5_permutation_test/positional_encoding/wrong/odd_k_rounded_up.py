# wrong: an odd k is rounded up
# says: shape
def positional_encoding(T, k):
    e = k + k % 2
    c = np.arange(e)
    angle = np.arange(T)[:, None] / 10000 ** (2 * (c // 2) / k)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))
