def repaired_weights(scores):
    rows = []
    for row in scores:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows)
