# wrong: drops the axes of a single weight (catalogue 46)
# says: an axis of length 1 was dropped
def softmax_jacobian(p):
    return np.squeeze(np.diag(p) - np.outer(p, p))
