def repaired_weights(scores):
    columns = scores.T - scores.T.max(axis=0)
    e = np.exp(columns)
    return (e / e.sum(axis=0)).T
