def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    def affine(o, b, x):
        return (o @ x + b[:, 0])
    q = affine(omega_q, beta_q, X[:, n])
    scores = [np.inner(affine(omega_k, beta_k, x), q).item() for x in X.T]
    top = max(scores)
    e = [np.exp(s - top) for s in scores]
    mix = sum(p * affine(omega_v, beta_v, x) for p, x in zip(e, X.T)) / sum(e)
    return mix.reshape(-1, 1)
