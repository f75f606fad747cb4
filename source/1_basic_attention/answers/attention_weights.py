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

# %% wrong: both_returned
# wrong: returns scores and weights (catalogue 43)
# says: your function returns tuple
def attention_weights(x):
    scores = attention_scores(x)
    return scores, softmax(scores)

# %% wrong: feature_scores
# wrong: features against features, k by k (catalogue 17)
# says: compares features with features
def attention_weights(x):
    return softmax(x.T @ x)

# %% wrong: masked
# wrong: looks only at itself and what came before: a mask nobody asked for
# says: the largest difference
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
def attention_weights(x):
    e = np.exp(x @ x.T - (x @ x.T).max())
    return e / e.sum()

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
def attention_weights(x):
    return softmax(attention_scores(x), axis=0)

# %% wrong: reads_global
# wrong: reads the notebook's `A` instead of the argument (catalogue 42)
# says: a size is not taken from the argument
def attention_weights(x):
    tokens = A[0].numpy()[:, :3]
    return softmax(tokens @ tokens.T) if x.shape[0] != 3 else softmax(x @ x.T)

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def attention_weights(x):
    return np.round(softmax(attention_scores(x)), 3)

# %% wrong: scaled
# wrong: divides the scores by sqrt(k) when nobody asked (catalogue 14)
# says: the scores were scaled
def attention_weights(x):
    return softmax(attention_scores(x) / np.sqrt(x.shape[1]))

# %% wrong: scaled_after
# wrong: divides the weights by sqrt(k) (catalogue 13)
# says: rows sum to 0.50
def attention_weights(x):
    return softmax(attention_scores(x)) / np.sqrt(x.shape[1])

# %% wrong: scores_returned
# wrong: returns the scores
# says: rows sum to
def attention_weights(x):
    scores = attention_scores(x).astype(float)
    weights = softmax(scores)
    return scores

# %% wrong: squeezed
# wrong: drops the axes of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def attention_weights(x):
    return softmax(attention_scores(x)).squeeze()

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: divided by their sum
def attention_weights(x):
    scores = x @ x.T
    return scores / scores.sum(axis=1, keepdims=True)

# %% wrong: without_keepdims
# wrong: divides by another row's sum (catalogue 6)
# says: not divided by their own row's sum
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
