def one_row(row):
    powers = np.exp(row - max(row))
    return powers / sum(powers)


def softmax(scores, axis=-1):
    return np.apply_along_axis(one_row, axis, np.array(scores, dtype=np.float64))
