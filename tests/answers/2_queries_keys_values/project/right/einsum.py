def project(x, w):
    return np.einsum("ti,id->td", x, w)
