# wrong: the sign is the other way round
# says: the other way round
def softmax_jacobian(p):
    return np.outer(p, p) - np.diag(p)
