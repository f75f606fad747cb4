# wrong: differentiates each weight by its own score only
# says: only the diagonal is there
def softmax_jacobian(p):
    return np.diag(p * (1 - p))
