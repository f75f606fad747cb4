# Right and wrong answers to `column_scores`; authoring/README.md says how they are written.

# %% right: bias_in_the_matrix
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    extended = np.vstack([X, np.ones((1, X.shape[1]))])
    return (np.hstack([omega_k, beta_k]) @ extended).T @ (np.hstack([omega_q, beta_q]) @ extended)

# %% right: bias_times_ones
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    eins = np.ones((1, X.shape[1]))
    return np.matmul(np.transpose(beta_k @ eins + omega_k @ X), beta_q @ eins + omega_q @ X)

# %% right: column_by_column
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    K = beta_k + omega_k.dot(X)
    return np.hstack([K.T @ (beta_q + omega_q @ x.reshape(-1, 1)) for x in X.T])

# %% right: einsum
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return np.einsum("dm,dn->mn", beta_k + omega_k @ X, beta_q + omega_q @ X)

# %% right: matrix
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    Q = beta_q + omega_q @ X
    K = beta_k + omega_k @ X
    return K.T @ Q

# %% right: queries_first_then_transposed
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    Q, K = omega_q @ X + beta_q, omega_k @ X + beta_k
    return (Q.T @ K).T

# %% right: two_loops
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    tokens = X.shape[1]
    table = np.empty((tokens, tokens))
    for n in range(tokens):
        q = beta_q + omega_q @ X[:, n:n + 1]
        for m in range(tokens):
            k = beta_k + omega_k @ X[:, m:m + 1]
            table[m, n] = (q.T @ k).item()
    return table

# %% wrong: changes_input
# wrong: centres X in place (catalogue 41)
# says: in-place operation
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    s = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    X -= X.mean()
    return s

# %% wrong: elementwise
# wrong: `*` instead of a product (catalogue 21)
# says: raised ValueError
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T * (beta_q + omega_q @ X)

# %% wrong: feature_scores
# wrong: K @ Q.T compares features with features (catalogue 17)
# says: compares features with features
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X) @ (beta_q + omega_q @ X).T

# %% wrong: inputs_as_keys
# wrong: the inputs take the place of the keys (catalogue 15)
# says: the inputs are used in place of the keys
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return X.T @ (beta_q + omega_q @ X)

# %% wrong: keys_twice
# wrong: keys with keys (catalogue 15)
# says: one of the two roles is used twice
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    K = beta_k + omega_k @ X
    return K.T @ K

# %% wrong: nested_lists
# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return ((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)).tolist()

# %% wrong: omega_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X)

# %% wrong: queries_first
# wrong: Q.T @ K, so rows are queries (catalogue 16)
# says: the result is the transpose
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_q + omega_q @ X).T @ (beta_k + omega_k @ X)

# %% wrong: reads_global
# wrong: uses the notebook's X (catalogue 42)
# says: comes from the notebook
def column_scores(x, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)

# %% wrong: scaled
# wrong: divides by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X) / np.sqrt(len(omega_k))

# %% wrong: softmaxed
# wrong: returns the attention
# says: the softmax was already applied
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    s = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)

# %% wrong: squeezed
# wrong: drops the axes of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return np.squeeze((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X))

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (omega_k @ X).T @ (omega_q @ X)
