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

# %% right: four_terms
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return X.T @ (omega_k.T @ omega_q) @ X + X.T @ omega_k.T @ beta_q + (beta_k.T @ omega_q @ X) + beta_k.T @ beta_q

# %% right: query_first_then_turned
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    queries = X.T @ omega_q.T + beta_q.T      # (N, D_k)
    keys = X.T @ omega_k.T + beta_k.T
    return (queries @ keys.T).T

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
# wrong: K @ Q.T compares components with components (catalogue 17)
# says: compares components with components
# likely: the product sums over the tokens and compares components with components
# next: let the axes of length D_k meet, so that the scores are tokens by tokens
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X) @ (beta_q + omega_q @ X).T

# %% wrong: inputs_as_keys
# wrong: the inputs take the place of the keys (catalogue 15)
# says: the inputs are used instead of the keys
# likely: the inputs are used instead of the keys
# next: make the keys first, with omega_k and beta_k
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return X.T @ (beta_q + omega_q @ X)

# %% wrong: keys_twice
# wrong: keys with keys (catalogue 15)
# says: one of the two roles is used twice
# likely: one of the two roles is used twice
# next: make one factor from omega_q and beta_q, the other from omega_k and beta_k
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    K = beta_k + omega_k @ X
    return K.T @ K

# %% wrong: nested_lists
# wrong: returns nested lists (catalogue 43)
# says: your function returns a list
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return ((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)).tolist()

# %% wrong: omega_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
# likely: the matrices are transposed, which runs only if they are square
# next: use `omega @ x` without a transpose: tokens are columns
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X)

# %% wrong: queries_first
# wrong: Q.T @ K, so rows are queries (catalogue 16)
# says: the result is transposed
# likely: the result is transposed: your first index is the query
# next: transpose the factor with the keys: entry [m, n] is key m with query n
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_q + omega_q @ X).T @ (beta_k + omega_k @ X)

# %% wrong: reads_global
# wrong: uses the notebook's X (catalogue 42)
# says: your code uses `X`: no argument, but a variable of the notebook
def column_scores(x, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)

# %% wrong: scaled
# wrong: divides by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X) / np.sqrt(len(omega_k))

# %% wrong: softmaxed
# wrong: returns the attention
# says: the softmax was already applied
# likely: the softmax was already applied
# next: return the plain scores; the softmax is the next exercise
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    s = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0)

# %% wrong: squeezed
# wrong: drops the axes of a single token (catalogue 46)
# says: removes every axis of length 1
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return np.squeeze((beta_k + omega_k @ X).T @ (beta_q + omega_q @ X))

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
# likely: the biases are missing
# next: add beta to each product
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (omega_k @ X).T @ (omega_q @ X)

# %% wrong: scales_from_64_on
# wrong: divides by sqrt(D_k) as soon as D_k is 64 or more
# says: every entry is 0.125 times the expected one
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    D_k = len(Q)
    return K.T @ Q / (np.sqrt(D_k) if D_k >= 64 else 1)

# %% right: step_by_step
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    queries = beta_q + omega_q @ X
    keys = beta_k + omega_k @ X
    scores = keys.T @ queries
    return scores

# %% right: in_one_line
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    return scores

# %% right: by_lists
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    D, N = X.shape
    queries = omega_q @ X + beta_q
    keys = omega_k @ X + beta_k
    scores = np.zeros((N, N))
    for m in range(N):
        for n in range(N):
            scores[m, n] = keys[:, m] @ queries[:, n]
    return scores

# %% wrong: biases_behind_the_product
# wrong: the product of the biases is added behind that of the rest
# says: added after the product
# likely: the biases are multiplied only by each other and added after the product: two of the four terms are missing
# next: add each bias first: (beta_k + omega_k X) transposed times (beta_q + omega_q X)
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    return (omega_k @ X).T @ (omega_q @ X) + beta_k.T @ beta_q

# %% wrong: float_bias_into_whole_numbers
# wrong: adds the biases in place to products that may hold integers (catalogue 43)
# says: holds whole numbers: it cannot store decimals
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    queries, keys = omega_q @ X, omega_k @ X
    queries += beta_q
    keys += beta_k
    return keys.T @ queries

# %% right: in_float32
def column_scores(X, omega_q, omega_k, beta_q, beta_k):
    X, omega_q, omega_k, beta_q, beta_k = (np.asarray(array, dtype=np.float32) for array in (X, omega_q, omega_k, beta_q, beta_k))
    return (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
