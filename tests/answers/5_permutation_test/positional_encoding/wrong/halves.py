# wrong: sines first, cosines after (catalogue 48)
# says: all sines come first
def positional_encoding(T, k):
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    return np.concatenate([np.sin(t * rate), np.cos(t * rate)[:, :k // 2]], axis=1)
