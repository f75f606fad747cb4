# wrong: adds up the query's own value, so its weight is one
# says: the value of token n itself
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, _, value = query_key_value(X[:, n:n + 1], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
    scores = (beta_k + omega_k @ X).T @ query
    e = np.exp(scores - scores.max())
    return sum(share * value for share in (e / e.sum()).ravel())
