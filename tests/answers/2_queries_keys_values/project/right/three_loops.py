def project(x, w):
    y = np.zeros((x.shape[0], w.shape[1]))
    for t in range(x.shape[0]):
        for d in range(w.shape[1]):
            for m in range(w.shape[0]):
                y[t, d] += x[t, m] * w[m, d]
    return y
