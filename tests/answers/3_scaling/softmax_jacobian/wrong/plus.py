# wrong: adds the products
# says: a sign is wrong
def softmax_jacobian(p):
    return np.diag(p) + np.outer(p, p)
