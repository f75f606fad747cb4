def positional_encoding(T, k):
    t = np.arange(T, dtype=float).reshape(-1, 1)
    rate = np.exp(np.arange(0, k, 2) * -(np.log(10000.0) / k))
    pairs = np.stack([np.sin(t * rate), np.cos(t * rate)], axis=-1)
    return pairs.reshape(T, -1)[:, :k]
