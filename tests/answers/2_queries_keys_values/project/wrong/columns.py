# wrong: returns the result in columns (catalogue 19)
# says: rows and columns changed places
def project(x, w):
    return (x @ w).T
