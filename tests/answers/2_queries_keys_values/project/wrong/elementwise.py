# wrong: multiplies number by number (catalogue 21)
# says: raised ValueError
def project(x, w):
    return x * w
