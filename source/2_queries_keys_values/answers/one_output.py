# Right and wrong answers to `one_output`; authoring/README.md says how they are written.

# %% right: in_place_on_own_arrays
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    query = omega_q @ X[:, n:n + 1]
    query += beta_q.astype(query.dtype)
    scores = (query.T @ keys).astype(float)
    scores -= scores.max()
    np.exp(scores, out=scores)
    scores /= scores.sum()
    return values @ scores.T

# %% right: inner_and_item
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    def affine(o, b, x):
        return (o @ x + b[:, 0])
    q = affine(omega_q, beta_q, X[:, n])
    scores = [np.inner(affine(omega_k, beta_k, x), q).item() for x in X.T]
    top = max(scores)
    e = [np.exp(s - top) for s in scores]
    mix = sum(p * affine(omega_v, beta_v, x) for p, x in zip(e, X.T)) / sum(e)
    return mix.reshape(-1, 1)

# %% right: list_of_heads_style
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    tokens = [X[:, m].reshape((X.shape[0], 1)) for m in range(X.shape[1])]
    q, k, v = zip(*(query_key_value(t, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v) for t in tokens))
    scores = np.array([np.vdot(q[n], key) for key in k])
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    return np.hstack(v) @ shares[:, np.newaxis]

# %% right: loop_with_query_key_value
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = query_key_value(X[:, [n]], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)[0]
    scores, values = [], []
    for m in range(X.shape[1]):
        _, key, value = query_key_value(X[:, [m]], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
        scores.append((key.T @ query)[0, 0])
        values.append(value)
    a = np.exp(np.array(scores) - max(scores))
    a = a / a.sum()
    y = np.zeros(beta_v.shape)
    for m, value in enumerate(values):
        y = y + a[m] * value
    return y

# %% right: matrix_form
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ X[:, n].reshape(-1, 1)
    scores = (omega_k @ X + beta_k).T @ query       # (N, 1)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return (omega_v @ X + beta_v) @ weights

# %% right: query_first
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([np.sum(q * (beta_k + omega_k @ X[:, m:m + 1])) for m in range(X.shape[1])])
    w = softmax_rows(s[None])[0]
    y = 0
    for m in range(X.shape[1]):
        y += w[m] * (beta_v + omega_v @ X[:, m:m + 1])
    return y

# %% right: torch
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x, oq, ok, ov, bq, bk, bv = (torch.tensor(a, dtype=torch.float64) for a in (X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v))
    weights = torch.softmax((ok @ x + bk).T @ (oq @ x[:, n:n + 1] + bq), dim=0)
    return ((ov @ x + bv) @ weights).numpy()

# %% wrong: all_outputs
# wrong: returns all outputs
# says: all outputs are returned
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X)
    e = np.exp(scores - scores.max(axis=0))
    return (beta_v + omega_v @ X) @ (e / e.sum(axis=0))

# %% wrong: changes_input
# wrong: centres X in place (catalogue 41)
# says: in-place operation
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    y = (beta_v + omega_v @ X) @ (e / e.sum())
    X -= X.mean()
    return y

# %% wrong: first_token_always
# wrong: ignores n: a loop variable or a fixed 0 (catalogue 42)
# says: with n=
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, :1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: float_of_a_column
# wrong: `float` of an array of shape (1, 1)
# says: take the one number out with `.item()`
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([float((beta_k + omega_k @ X[:, m:m + 1]).T @ q) for m in range(X.shape[1])])
    e = np.exp(s - s.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]

# %% wrong: global_number_of_tokens
# wrong: loops to the notebook's N (catalogue 42)
# says: one token too many or too few
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([((beta_k + omega_k @ X[:, m:m + 1]).T @ q).item() for m in range(min(N, X.shape[1]))])
    e = np.exp(s - s.max())
    w = e / e.sum()
    return sum(w[m] * (beta_v + omega_v @ X[:, m:m + 1]) for m in range(len(w)))

# %% wrong: grows_between_calls
# wrong: keeps the values of earlier calls (catalogue 42)
# says: raised ValueError
kept = []


def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    for m in range(X.shape[1]):
        kept.append(beta_v + omega_v @ X[:, m:m + 1])
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return np.hstack(kept) @ (e / e.sum())

# %% wrong: inputs_for_values
# wrong: mixes the inputs instead of the values (catalogue 15)
# says: the inputs are mixed instead of the values
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return X @ (e / e.sum())

# %% wrong: last_term_only
# wrong: replaces the output at each step
# says: each step replaces the output
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    w = e / e.sum()
    for m in range(X.shape[1]):
        y = w[m] * (beta_v + omega_v @ X[:, m:m + 1])
    return y

# %% wrong: matrices_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v.T @ X) @ (e / e.sum())

# %% wrong: own_value
# wrong: adds up the query's own value, so its weight is one
# says: the value of token n itself
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, _, value = query_key_value(X[:, n:n + 1], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
    scores = (beta_k + omega_k @ X).T @ query
    e = np.exp(scores - scores.max())
    return sum(share * value for share in (e / e.sum()).ravel())

# %% wrong: row
# wrong: returns a row (catalogue 19)
# says: the axes are in another order
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return ((beta_v + omega_v @ X) @ (e / e.sum())).T

# %% wrong: scaled
# wrong: divides the scores by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1]) / np.sqrt(len(beta_k))
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: swapped_roles
# wrong: key n meets all queries (catalogue 16)
# says: query and key have changed roles
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    key = beta_k + omega_k @ X[:, n:n + 1]
    scores = (beta_q + omega_q @ X).T @ key
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: tuple_left
# wrong: returns output and shares (catalogue 43)
# says: your function returns tuple
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum()), e / e.sum()

# %% wrong: without_axis
# wrong: returns an array without the column axis (catalogue 46)
# says: an axis of length 1 was dropped
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return ((beta_v + omega_v @ X) @ (e / e.sum()))[:, 0]

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: divided by their sum
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ (scores / scores.sum())

# %% wrong: without_maximum
# wrong: nan for long vectors (catalogue 7)
# says: nan or inf
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores)
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: without_softmax
# wrong: mixes with the scores (catalogue 4)
# says: mixed with the scores
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ scores

# %% wrong: without_sum
# wrong: exponentials are not normalised (catalogue 5)
# says: were not divided by their sum
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ np.exp(scores - scores.max())
