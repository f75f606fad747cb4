def project(x, w):
    return x @ w
