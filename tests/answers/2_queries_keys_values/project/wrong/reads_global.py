# wrong: uses the notebook's w_key instead of the argument (catalogue 42)
# says: comes from the notebook instead of from the arguments
def project(x, w):
    return x @ w_key
