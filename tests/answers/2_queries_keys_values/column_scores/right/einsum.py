def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return np.einsum("dm,dn->mn", beta_k + omega_k @ X, beta_q + omega_q @ X)
