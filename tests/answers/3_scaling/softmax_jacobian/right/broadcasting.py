def softmax_jacobian(p):
    return p[:, None] * (np.eye(p.size) - p[None, :])
