# wrong: scales its input in place (catalogue 41)
# says: in-place operation
def project(x, w):
    result = x @ w
    x *= 2
    return result
