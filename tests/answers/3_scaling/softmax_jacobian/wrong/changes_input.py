# wrong: writes into p (catalogue 41)
# says: in-place operation
def softmax_jacobian(p):
    J = np.diag(p) - np.outer(p, p)
    p *= 1 - p
    return J
