def repaired_weights(scores):
    return np.exp(scores - np.logaddexp.reduce(scores.astype(float), axis=1)[:, None])
