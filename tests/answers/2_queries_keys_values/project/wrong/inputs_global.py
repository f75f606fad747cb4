# wrong: uses the notebook's inputs instead of x (catalogue 42)
# says: comes from the notebook instead of from the arguments
def project(x, w):
    return inputs @ w
