def softmax_jacobian(p):
    T = len(p)
    J = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J
