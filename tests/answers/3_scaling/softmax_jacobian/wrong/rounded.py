# wrong: rounds to two decimals (catalogue 50)
# says: only the hidden tests see it
def softmax_jacobian(p):
    return np.round(np.diag(p) - np.outer(p, p), 2)
