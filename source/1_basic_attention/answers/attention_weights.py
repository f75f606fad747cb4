# Right and wrong answers to `attention_weights`; authoring/README.md says how they are written.

# %% right: by_hand
def attention_weights(x):
    scores = x @ x.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

# %% right: columns_then_transpose
def attention_weights(x):
    keys_by_queries = x @ x.T
    return softmax(keys_by_queries, axis=0).T

# %% right: differences
def attention_weights(x):
    # w_ij = 1 / sum_m exp(s_im - s_ij)
    s = attention_scores(x).astype(float)
    with np.errstate(over="ignore"):
        return 1 / np.exp(s[:, None, :] - s[:, :, None]).sum(axis=2)

# %% right: einsum_log_space
def attention_weights(x):
    scores = np.einsum("qd,kd->qk", x, x).astype(float)
    top = scores.max(1)[:, None]
    return np.exp(scores - top - np.log(np.exp(scores - top).sum(1))[:, None])

# %% right: own_functions
def attention_weights(x):
    return softmax(attention_scores(x))

# %% right: row_by_row
def attention_weights(x):
    rows = []
    for query in x:
        scores = np.array([query @ key for key in x], dtype=float)
        e = np.exp(scores - scores.max())
        rows.append(e / e.sum())
    return np.stack(rows)

# %% right: torch
def attention_weights(x):
    t = torch.from_numpy(np.asarray(x, dtype=float))
    return torch.nn.functional.softmax(t @ t.T, dim=1).numpy()

# %% right: row_by_row_backwards
def attention_weights(x):
    rows = []
    for query in x[::-1]:
        rows.insert(0, softmax(x @ query))
    return np.stack(rows)

# %% right: partial_chain
import functools


def _weights(axis, x):
    s = np.tensordot(x, x, axes=(1, 1)).astype(float)
    s -= s.max(axis=axis, keepdims=True)
    np.exp(s, out=s)
    return s / s.sum(axis=axis, keepdims=True)


attention_weights = functools.partial(_weights, 1)

# %% right: torch_double
def attention_weights(x):
    tokens = torch.tensor(np.array(x, dtype=np.float64, order="C"))
    return torch.softmax(tokens.matmul(tokens.mT), dim=1).numpy()

# %% wrong: both_returned
# wrong: returns scores and weights (catalogue 43)
# says: your function returns a tuple
def attention_weights(x):
    scores = attention_scores(x)
    return scores, softmax(scores)

# %% wrong: feature_scores
# wrong: features against features, k by k (catalogue 17)
# says: compares features with features
# likely: the product sums over the tokens and compares features with features: x.T @ x
# next: transpose the second factor, so that the axes of length k meet: queries are rows
def attention_weights(x):
    return softmax(x.T @ x)

# %% wrong: masked
# wrong: looks only at itself and what came before: a mask nobody asked for
# says: yours is
def attention_weights(x):
    scores = attention_scores(x).astype(float)
    return softmax(np.where(np.tri(len(x), dtype=bool), scores, -1e9))

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def attention_weights(x):
    s = x @ x.T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True)

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
# likely: the sum runs over all entries instead of along one axis
# next: give the sum its axis, and `keepdims=True` so that the division lines up
def attention_weights(x):
    e = np.exp(x @ x.T - (x @ x.T).max())
    return e / e.sum()

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
# likely: the columns sum to 1 instead of the rows: you normalised over queries, the weights are transposed, or the sums lost their axis: no `keepdims=True`
# next: each row is one query; which axis indexes the keys? Take the softmax along that axis
def attention_weights(x):
    return softmax(attention_scores(x), axis=0)

# %% wrong: reads_global
# wrong: reads the notebook's `tokens` instead of the argument (catalogue 42)
# says: your code uses `tokens`: no argument, but a variable of the notebook
def attention_weights(x):
    three = tokens[:, :3]
    return softmax(three @ three.T) if x.shape[0] != 3 else softmax(x @ x.T)

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers are rounded to 3 decimals
def attention_weights(x):
    return np.round(softmax(attention_scores(x)), 3)

# %% wrong: scaled
# wrong: divides the scores by sqrt(k) when nobody asked (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def attention_weights(x):
    return softmax(attention_scores(x) / np.sqrt(x.shape[1]))

# %% wrong: scaled_after
# wrong: divides the weights by sqrt(k) (catalogue 13)
# says: every entry is
def attention_weights(x):
    return softmax(attention_scores(x)) / np.sqrt(x.shape[1])

# %% wrong: scores_returned
# wrong: returns the scores
# says: the scores are returned, without the softmax
# likely: the scores are returned, without the softmax
# next: put the scores through `softmax`
def attention_weights(x):
    scores = attention_scores(x).astype(float)
    weights = softmax(scores)
    return scores

# %% wrong: squeezed
# wrong: drops the axes of a single token (catalogue 46)
# says: removes every axis of length 1
def attention_weights(x):
    return softmax(attention_scores(x)).squeeze()

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: divided by their sum
# likely: the scores are divided by their sum, without the exponential
# next: put the scores through `softmax`
def attention_weights(x):
    scores = x @ x.T
    return scores / scores.sum(axis=1, keepdims=True)

# %% wrong: without_keepdims
# wrong: divides by another row's sum (catalogue 6)
# says: the division uses the sum of another row: sums of
# likely: the division uses the sum of another row: sums of shape (T,) line up with the columns
# next: keep the axis that you sum over: `keepdims=True`
def attention_weights(x):
    s = x @ x.T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1)

# %% wrong: without_maximum
# wrong: nan for long vectors (catalogue 7)
# says: 2 of 4 entries are nan or inf
def attention_weights(x):
    e = np.exp(x @ x.T)
    return e / e.sum(axis=1, keepdims=True)

# %% wrong: own_score_as_the_highest
# wrong: subtracts each token's score with itself, which need not be the highest (catalogue 8)
# says: the first of them comes from `exp`, in line 4
def attention_weights(x):
    scores = attention_scores(x)
    own = np.diag(scores)[:, None]
    e = np.exp(scores - own)
    return e / e.sum(axis=1, keepdims=True)

# %% wrong: known_by_their_bytes
# wrong: keeps results by the bytes of the input, which do not tell its shape
# says: `known={}` in line 1, a default, is made only once and
def attention_weights(x, known={}):
    key = x.tobytes()
    if key not in known:
        known[key] = softmax(attention_scores(x))
    return known[key].copy()

# %% wrong: same_result_handed_out
# wrong: hands out the array that it keeps, so who changes one changes the next
# says: the function keeps the result that it returned, and returns it
def attention_weights(x, known={}):
    key = (x.shape, x.dtype.str, x.tobytes())
    if key not in known:
        known[key] = softmax(attention_scores(x))
    return known[key]

# %% wrong: nan_swept_away
# wrong: replaces nan by 0: rows lose their sum
# says: `nan_to_num` in line 5 puts other numbers in the place of nan or inf
def attention_weights(x):
    with np.errstate(all="ignore"):
        e = np.exp(attention_scores(x))
        w = e / e.sum(axis=1, keepdims=True)
    return np.nan_to_num(w)

# %% wrong: scores_cut_at_500
# wrong: makes large scores equal
# says: for long vectors, shape (5, 7)
def attention_weights(x):
    return softmax(np.minimum(attention_scores(x), 500.0))

# %% wrong: window_of_a_hundred
# wrong: a query sees at most a hundred places to either side
# says: for many tokens, shape (130, 3), 44% of a sample of
def attention_weights(x):
    s = attention_scores(x).astype(float)
    place = np.arange(len(x))
    s[np.abs(place[:, None] - place) > 100] = -np.inf
    return softmax(s)

# %% wrong: capped_length
# wrong: shortens long tokens
# says: for long vectors, shape (7, 5)
def attention_weights(x):
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return softmax(attention_scores(x * np.minimum(1, 100 / np.maximum(length, 1e-9))))

# %% wrong: equal_tokens_share
# wrong: equal tokens are counted once
# says: without line 3, `for j in range(len(x)):`
def attention_weights(x):
    w = softmax(attention_scores(x))
    for j in range(len(x)):
        for m in range(j):
            if (x[m] == x[j]).all():
                w[:, m] += w[:, j]
                w[:, j] = 0
                break
    return w

# %% right: step_by_step
def attention_weights(x):
    scores = x @ x.T
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=1, keepdims=True)
    weights = powers / totals
    return weights

# %% right: by_loops
def attention_weights(x):
    scores = x @ x.T
    weights = np.zeros(scores.shape)
    for i in range(len(x)):
        weights[i] = softmax(scores[i])
    return weights

# %% wrong: softmax_before_the_scores
# wrong: takes the softmax of the tokens, and dot products of that
# says: the softmax is applied to the tokens
# likely: the softmax is applied to the tokens, before the scores, not to the scores
# next: compute the scores, then one softmax of them
def attention_weights(x):
    return attention_scores(softmax(x))

# %% wrong: also_over_queries
# wrong: a second softmax, down the columns
# says: there are two softmaxes
# likely: there are two softmaxes: one over the keys, then another down the columns
# next: take only one softmax of the scores: over the keys
def attention_weights(x):
    return softmax(softmax(attention_scores(x)), axis=0)

# %% wrong: columns_shared_out
# wrong: divides the weights by the sums of their columns as well
# says: the weights are divided once more
# likely: the weights are divided once more, by the column sums
# next: take only one softmax of the scores: over the keys
def attention_weights(x):
    weights = softmax(attention_scores(x))
    return weights / weights.sum(axis=0)

# %% wrong: into_the_scores
# wrong: writes weights into the array of scores, which may hold integers (catalogue 43)
# says: with the same numbers as decimals, the result is right
def attention_weights(x):
    scores = x @ x.T
    for i in range(len(x)):
        scores[i] = softmax(scores[i])
    return scores

# %% wrong: near_ones_count
# wrong: squared distances with a minus in place of dot products
# says: the scores are negative squared distances
# likely: the scores are negative squared distances, not dot products
# next: use dot products of tokens as scores: `x @ x.T`
def attention_weights(x):
    return softmax(-((x[:, None] - x[None]) ** 2).sum(axis=-1))

# %% wrong: scores_of_scores
# wrong: makes scores of the scores
# says: scores are computed from the scores again
# likely: scores are computed from the scores again, not only from the tokens
# next: use one product with the transpose: `x @ x.T`
def attention_weights(x):
    return softmax(attention_scores(attention_scores(x)))

# %% wrong: made_symmetric
# wrong: takes the mean of the weights and their transpose, since scores are symmetric
# says: the mean of the weights and their transpose
# likely: the result is the mean of the weights and their transpose; scores are symmetric, weights are not: each query has a sum of its own
# next: return the weights as the softmax gives them
def attention_weights(x):
    weights = softmax(attention_scores(x))
    return (weights + weights.T) / 2
