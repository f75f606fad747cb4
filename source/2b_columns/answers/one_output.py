# Right and wrong answers to `one_output`; authoring/README.md says how they are written.

# %% right: in_place_on_own_arrays
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    query = (omega_q @ X[:, n:n + 1]).astype(float)
    query += beta_q
    scores = query.T @ keys
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

# %% right: one_pass
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, _, _ = query_key_value(X[:, n, None], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
    largest, total, mix = -np.inf, 0.0, np.zeros(beta_v.shape)
    for x_m in X.T:
        _, key, value = query_key_value(x_m[:, None], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
        score = np.vdot(key, query)
        new = max(largest, score)
        shrink, e = np.exp(largest - new), np.exp(score - new)
        total, mix, largest = shrink * total + e, shrink * mix + e * value, new
    return mix / total

# %% right: bias_at_the_end
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = omega_q @ X[:, [n]] + beta_q
    scores = [((omega_k @ X[:, [m]]) * query).sum() for m in range(X.shape[1])]
    highest = max(scores)
    shares = [np.exp(score - highest) for score in scores]
    mixed_token = sum(share * X[:, [m]] for m, share in enumerate(shares)) / sum(shares)
    return beta_v + omega_v @ mixed_token

# %% right: turned_to_rows
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    tokens = X.T
    query = omega_q.dot(tokens[n]) + beta_q.ravel()
    scores = np.fromiter((query.dot(omega_k.dot(token) + beta_k.ravel()) for token in tokens), dtype=float)
    values = [omega_v.dot(token) + beta_v.ravel() for token in tokens]
    return np.average(values, axis=0, weights=softmax_rows(scores)).reshape(-1, 1)

# %% wrong: all_outputs
# wrong: returns all outputs
# says: all outputs are returned
# likely: all outputs are returned
# next: return only the column of token n
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
# likely: the output of token 0 is returned, whatever n is
# next: use n to choose the column that asks
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, :1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: float_of_a_column
# wrong: `float` of an array of shape (1, 1)
# says: `float(...)` and `int(...)` take one number, but this is an array
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + omega_q @ X[:, n:n + 1]
    s = np.array([float((beta_k + omega_k @ X[:, m:m + 1]).T @ q) for m in range(X.shape[1])])
    e = np.exp(s - s.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]

# %% wrong: global_number_of_tokens
# wrong: loops to the notebook's N (catalogue 42)
# says: the loop counts to a number from the notebook
# likely: the loop counts to a number from the notebook, not to the number of tokens of this input
# next: take the number of tokens from X: `X.shape[1]`
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
# likely: the inputs are mixed instead of the values
# next: use the values, which omega_v makes, in the last product
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return X @ (e / e.sum())

# %% wrong: last_term_only
# wrong: replaces the output at each step
# says: after the loop only the last one is left
# likely: each step replaces the output instead of adding to it
# next: start at zeros and add
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
# likely: the matrices are transposed, which runs only if they are square
# next: use `omega @ x` without a transpose: tokens are columns
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v.T @ X) @ (e / e.sum())

# %% wrong: own_value
# wrong: adds up the query's own value, so its weight is one
# says: the value of token n itself
# likely: the value of token n itself is added up; the weights sum to one, so you get it back
# next: loop over m: the weight of token m times the value of token m
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, _, value = query_key_value(X[:, n:n + 1], omega_q, omega_k, omega_v, beta_q, beta_k, beta_v)
    scores = (beta_k + omega_k @ X).T @ query
    e = np.exp(scores - scores.max())
    return sum(share * value for share in (e / e.sum()).ravel())

# %% wrong: row
# wrong: returns a row (catalogue 19)
# says: the result is transposed: rows and columns are swapped
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return ((beta_v + omega_v @ X) @ (e / e.sum())).T

# %% wrong: scaled
# wrong: divides the scores by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1]) / np.sqrt(len(beta_k))
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: swapped_roles
# wrong: key n meets all queries (catalogue 16)
# says: query and key have swapped roles
# likely: query and key have swapped roles: the key of token n is compared with all queries
# next: compare the query of token n with the key of every token
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    key = beta_k + omega_k @ X[:, n:n + 1]
    scores = (beta_q + omega_q @ X).T @ key
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())

# %% wrong: tuple_left
# wrong: returns output and shares (catalogue 43)
# says: your function returns a tuple
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum()), e / e.sum()

# %% wrong: without_axis
# wrong: returns an array without the column axis (catalogue 46)
# says: an axis of length 1 is missing: an index, `squeeze` or a sum without
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    e = np.exp(scores - scores.max())
    return ((beta_v + omega_v @ X) @ (e / e.sum()))[:, 0]

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: divided by their sum
# likely: the scores are divided by their sum, without the exponential
# next: take the exponential of the scores first
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
# says: weighted by the scores
# likely: the values are weighted by the scores instead of their softmax
# next: put the N scores through a softmax first
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ scores

# %% wrong: without_sum
# wrong: exponentials are not normalised (catalogue 5)
# says: are not divided by their sum
# likely: the exponentials are not divided by their sum
# next: divide them by their sum, so that the weights sum to one
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, n:n + 1])
    return (beta_v + omega_v @ X) @ np.exp(scores - scores.max())

# %% wrong: running_maximum_from_zero
# wrong: the running maximum starts at 0, so if all scores are far below 0 every exponential is 0 and the result is 0 / 0
# says: 0 / 0 in line 12: each exponential in that sum is 0
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ X[:, [n]]
    scores, values = [], []
    largest = 0
    for m in range(X.shape[1]):
        score = ((beta_k + omega_k @ X[:, [m]]).T @ query).item()
        if score > largest:
            largest = score
        scores.append(score)
        values.append(beta_v + omega_v @ X[:, [m]])
    e = np.exp(np.array(scores) - largest)
    return np.hstack(values) @ (e / e.sum())[:, None]

# %% wrong: only_python_numbers
# wrong: a NumPy integer (from np.arange or argmax) is refused
# says: for a token number that is NumPy's, shape (7, 5) and
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    if type(n) is not int:
        raise TypeError("n has to be an int")
    query = beta_q + omega_q @ X[:, [n]]
    keys, values = beta_k + omega_k @ X, beta_v + omega_v @ X
    scores = np.array([keys[:, m] @ query[:, 0] for m in range(X.shape[1])])
    weights = softmax_rows(scores)
    return sum(weights[m] * values[:, [m]] for m in range(X.shape[1]))

# %% right: step_by_step
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ X[:, [n]]
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    scores = keys.T @ query
    largest = scores.max(axis=0, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=0, keepdims=True)
    weights = powers / totals
    output = values @ weights
    return output

# %% wrong: asks_anew
# wrong: the loop makes a new query for each token, so that each meets itself
# says: each token's query is compared with its own key
# likely: each token's query is compared with its own key: the loop makes a new query each time, and `n` has no effect
# next: make the query of token n once, before the loop, and do not reuse its name
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys, queries = beta_k + omega_k @ X, beta_q + omega_q @ X
    scores = (keys * queries).sum(axis=0)
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X) @ (e / e.sum())[:, None]

# %% wrong: rows_of_one_number
# wrong: a softmax along an axis of length 1 (catalogue 1)
# says: every weight is 1
# likely: every weight is 1, so the values are only added up, as with a softmax along an axis of length 1
# next: take the softmax down the column of the N scores, or make them one row
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return (beta_v + omega_v @ X).sum(axis=1, keepdims=True)

# %% right: by_lists
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    D, N = X.shape
    query = omega_q @ X[:, n].reshape(-1, 1) + beta_q
    scores = []
    values = []
    for m in range(N):
        key = omega_k @ X[:, m].reshape(-1, 1) + beta_k
        value = omega_v @ X[:, m].reshape(-1, 1) + beta_v
        scores.append((key.T @ query).item())
        values.append(value)
    scores = np.array(scores)
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    output = np.zeros(beta_v.shape)
    for m in range(len(values)):
        output = output + weights[m] * values[m]
    return output

# %% wrong: without_itself
# wrong: token n may not look at itself
# says: token n itself is left out
# likely: token n itself is left out
# next: sum over all m, including n
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    others = [m for m in range(X.shape[1]) if m != n] or [n]
    scores = (beta_k + omega_k @ X[:, others]).T @ (beta_q + omega_q @ X[:, [n]])
    e = np.exp(scores - scores.max())
    return (beta_v + omega_v @ X[:, others]) @ (e / e.sum())

# %% wrong: up_to_itself
# wrong: only tokens up to n
# says: tokens after token n are left out
# likely: tokens after token n are left out
# next: sum over all m, also those after n
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys, values = beta_k + omega_k @ X[:, :n + 1], beta_v + omega_v @ X[:, :n + 1]
    scores = keys.T @ (beta_q + omega_q @ X[:, [n]])
    e = np.exp(scores - scores.max())
    return values @ (e / e.sum())

# %% wrong: before_itself
# wrong: only tokens before n
# says: only the tokens before n are used
# likely: only the tokens before n are used
# next: sum over all m, from 0 to N − 1
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    keys, values = beta_k + omega_k @ X[:, :max(n, 1)], beta_v + omega_v @ X[:, :max(n, 1)]
    scores = keys.T @ (beta_q + omega_q @ X[:, [n]])
    e = np.exp(scores - scores.max())
    return values @ (e / e.sum())

# %% right: in_float32
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x, o_q, o_k, o_v, b_q, b_k, b_v = (torch.tensor(array).float() for array in (X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v))
    weights = torch.softmax((b_k + o_k @ x).T @ (b_q + o_q @ x[:, n:n + 1]), dim=0)
    return ((b_v + o_v @ x) @ weights).numpy().astype(float)

# %% wrong: values_by_score
# wrong: keeps values by their score: of those with equal scores, the last one alone counts
# says: yours is
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    scores = (beta_k + omega_k @ X).T @ (beta_q + omega_q @ X[:, [n]])
    value_of = {float(score): value for score, value in zip(scores[:, 0], (beta_v + omega_v @ X).T)}
    shares = {score: np.exp(score - max(value_of)) for score in value_of}
    return (sum(shares[score] * value for score, value in value_of.items()) / sum(shares.values()))[:, None]

# %% wrong: largest_so_far
# wrong: subtracts the largest score so far, and what was added up before a larger one is not made smaller
# says: the largest score so far
# likely: each score loses the largest score so far, so the exponentials do not share one shift
# next: take the largest of all scores first; or multiply what is added up by e to the (old largest − new largest)
def one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, largest, total, mix = beta_q + omega_q @ X[:, [n]], -np.inf, 0.0, 0.0
    for m in range(X.shape[1]):
        score = ((beta_k + omega_k @ X[:, [m]]).T @ query).item()
        largest = max(largest, score)
        e = np.exp(score - largest)
        total, mix = total + e, mix + e * (beta_v + omega_v @ X[:, [m]])
    return mix / total
