def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    ones = np.ones((1, X.shape[1]))
    q, k, v = (np.einsum("kd,dn->kn", o, X) + b @ ones for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    scores = np.einsum("dm,dn->mn", k, q)
    shares = np.exp(scores - np.logaddexp.reduce(scores, axis=0))
    return np.einsum("vm,mn->vn", v, shares), shares
