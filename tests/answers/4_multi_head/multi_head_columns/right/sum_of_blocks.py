def multi_head_columns(X, heads, omega_c):
    D, N = X.shape
    s = D // len(heads)
    Y = np.zeros((D, N))
    for n, head in enumerate(heads):
        Q, K, V = (head['omega_' + r].dot(X) + head['beta_' + r] for r in 'qkv')
        S = Q.T.dot(K) / np.sqrt(s)                       # (N query, N key)
        A = np.exp(S - S.max(axis=1)[:, None])
        A = A / A.sum(axis=1)[:, None]
        Y += omega_c[:, n * s:n * s + s].dot(V.dot(A.T))
    return Y
