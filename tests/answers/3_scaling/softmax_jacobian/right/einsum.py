def softmax_jacobian(p):
    return np.einsum("i,ij->ij", p, np.identity(len(p))) - np.einsum("i,j->ij", p, p)
