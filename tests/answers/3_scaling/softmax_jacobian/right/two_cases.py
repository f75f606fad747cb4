def softmax_jacobian(p):
    # auf der Diagonale p(1-p), daneben -p_i p_j
    J = -np.multiply.outer(p, p).astype(float)
    J[np.diag_indices(len(p))] = p * (1 - p)
    return J
