def softmax_jacobian(p):
    return np.diag(p) - np.outer(p, p)
