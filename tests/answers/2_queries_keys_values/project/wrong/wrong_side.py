# wrong: the matrix stands on the left (catalogue 18)
# says: the matrix stands on the left
def project(x, w):
    return w @ x
