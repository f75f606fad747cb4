# wrong: the matrix stands on the left (catalogue 18)
# says: two arrays whose axes do not line up
def project(x, w):
    return w @ x
