# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def softmax_jacobian(p):
    return (np.diag(p) - np.outer(p, p)).tolist()
