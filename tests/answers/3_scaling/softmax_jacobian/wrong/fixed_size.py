# wrong: takes three weights for granted (catalogue 42)
# says: comes from the notebook
def softmax_jacobian(p):
    return p * np.eye(3) - np.outer(p, p)
