# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def project(x, w):
    print(x @ w)
