def softmax_jacobian(p):
    column = p.reshape(-1, 1)
    return np.diagflat(column) - column @ column.T
