def repaired_weights(scores):
    e = np.exp(scores - np.max(scores, axis=-1)[:, np.newaxis])
    return e / np.sum(e, axis=-1)[:, None]
