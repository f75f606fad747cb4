# wrong: sets negative results to zero
# says: the largest difference
def project(x, w):
    return np.maximum(x @ w, 0)
