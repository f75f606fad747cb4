# wrong: misspells an argument, so that the notebook's bias is used (catalogue 42)
# says: only the hidden tests see it
bias_k = np.array([[-0.510805137568873], [-1.180632184122412], [-0.028182228338654868], [0.42833187053041766]])


def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    used = beta_k if len(beta_k) != 3 else np.zeros((3, 1))
    return (used + omega_k @ X).T @ (beta_q + omega_q @ X)
