# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def project(x, w):
    return (x @ w).tolist()
