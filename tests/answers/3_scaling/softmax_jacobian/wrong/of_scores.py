# wrong: takes p for scores and applies the softmax again
# says: the largest difference
def softmax_jacobian(p):
    p = softmax(p)
    return np.diag(p) - np.outer(p, p)
