# Right and wrong answers to `attention_scores`; authoring/README.md says how they are written.

# %% right: at_transpose
def attention_scores(x):
    return x @ x.T

# %% right: broadcast
def attention_scores(x):
    return (x[:, None, :] * x[None, :, :]).sum(axis=2)

# %% right: dot
def attention_scores(x):
    return np.dot(x, np.transpose(x))

# %% right: einsum
def attention_scores(x):
    return np.einsum("ik,jk->ij", x, x)

# %% right: inner
def attention_scores(x):
    return np.inner(x, x)

# %% right: list_comprehension
def attention_scores(x):
    return np.array([[sum(q * k) for k in x] for q in x])

# %% right: torch
def attention_scores(x):
    tokens = torch.tensor(x, dtype=torch.float64)
    return torch.matmul(tokens, tokens.t()).numpy()

# %% right: two_loops
def attention_scores(x):
    T = len(x)
    scores = np.zeros((T, T))
    for query in range(T):
        for key in range(T):
            scores[query, key] = x[query] @ x[key]
    return scores

# %% wrong: centres_in_place
# wrong: centres the tokens in place first (catalogue 41)
# says: the largest difference
 def attention_scores(x):
+    x -= x.mean()

# %% wrong: cosine
# wrong: cosine similarity instead of the dot product
# says: brought to length 1
def attention_scores(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T

# %% wrong: elementwise
# wrong: elementwise product (catalogue 21)
# says: number by number
def attention_scores(x):
    return x * x

# %% wrong: feature_scores
# wrong: x.T @ x: features against features, k by k (catalogue 17)
# says: compares features with features
def attention_scores(x):
    return x.T @ x

# %% wrong: fixed_sizes
# wrong: three tokens of four numbers, whatever comes in (catalogue 42)
# says: your code raised IndexError
def attention_scores(x):
    scores = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            scores[i, j] = x[i] @ x[j]
    return scores

# %% wrong: no_return
# wrong: computes and forgets to return (catalogue 43)
# says: your function returns None
def attention_scores(x):
    scores = x @ x.T

# %% wrong: own_scores_zero
# wrong: sets each token's score with itself to zero, in a copy
# says: the largest difference
def attention_scores(x):
    scores = (x @ x.T).astype(float)
    np.fill_diagonal(scores, 0)
    return scores

# %% wrong: reads_global
# wrong: reads the notebook's tokens instead of the argument (catalogue 42)
# says: your code raised NameError
def attention_scores(x):
    return tokens @ tokens.T

# %% wrong: scaled
# wrong: scaled when nobody asked (catalogue 14)
# says: the scores were scaled
def attention_scores(x):
    return x @ x.T / np.sqrt(x.shape[1])

# %% wrong: small_integers
# wrong: stores the scores in 8-bit integers: large scores wrap around (catalogue 43)
# says: your array holds int8
def attention_scores(x):
    return (x @ x.T).astype(np.int8)

# %% wrong: squeezed
# wrong: squeeze() makes a number of a single token's score (catalogue 46)
# says: an axis of length 1 was dropped
def attention_scores(x):
    return np.squeeze(x @ x.T)

# %% wrong: upper_half_only
# wrong: fills only one half of the symmetric matrix
# says: the largest difference
def attention_scores(x):
    T = x.shape[0]
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(i, T):
            scores[i, j] = x[i] @ x[j]
    return scores
