# wrong: multiplies with the transposed matrix (catalogue 18)
# says: two arrays whose axes do not line up
def project(x, w):
    return x @ w.T
