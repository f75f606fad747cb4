# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def project(x, w):
    return np.squeeze(x @ w)
