# wrong: puts a softmax on the projection
# says: the largest difference
def project(x, w):
    return softmax_rows(x @ w)
