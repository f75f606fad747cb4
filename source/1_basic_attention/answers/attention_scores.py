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

# %% right: halves_mirrored
def attention_scores(x):
    T = len(x)
    scores = np.empty((T, T), dtype=x.dtype)
    for i in range(T):
        for j in range(i, T):
            scores[i, j] = scores[j, i] = sum(a * b for a, b in zip(x[i], x[j]))
    return scores

# %% right: sum_of_outer_products
def attention_scores(x):
    scores = 0.0
    for component in x.T:
        scores = scores + np.multiply.outer(component, component)
    return scores

# %% right: inner_lambda
attention_scores = lambda x: np.inner(x, x)

# %% wrong: centres_in_place
# wrong: centres the tokens in place first (catalogue 41)
# says: yours is
 def attention_scores(x):
+    x -= x.mean()

# %% wrong: cosine
# wrong: cosine similarity instead of the dot product
# says: normalised to length 1
# likely: the vectors are normalised to length 1 first
# next: use the plain dot products: length matters here
def attention_scores(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return unit @ unit.T

# %% wrong: elementwise
# wrong: elementwise product (catalogue 21)
# says: number by number
# likely: `*` multiplies number by number: it gives no dot products
# next: use `@` and transpose the second factor
def attention_scores(x):
    return x * x

# %% wrong: feature_scores
# wrong: x.T @ x: features against features, k by k (catalogue 17)
# says: compares features with features
# likely: the product sums over the tokens and compares features with features: x.T @ x
# next: transpose the second factor, so that the axes of length k meet: queries are rows
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
# says: yours is
def attention_scores(x):
    scores = (x @ x.T).astype(float)
    np.fill_diagonal(scores, 0)
    return scores

# %% wrong: reads_global
# wrong: reads the notebook's tokens instead of the argument (catalogue 42)
# says: your code uses `tokens`: no argument, but a variable of the notebook
def attention_scores(x):
    return tokens @ tokens.T

# %% wrong: scaled
# wrong: scaled when nobody asked (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def attention_scores(x):
    return x @ x.T / np.sqrt(x.shape[1])

# %% wrong: small_integers
# wrong: stores the scores in 8-bit integers: large scores wrap around (catalogue 43)
# says: your array holds int8
def attention_scores(x):
    return (x @ x.T).astype(np.int8)

# %% wrong: squeezed
# wrong: squeeze() makes a number of a single token's score (catalogue 46)
# says: removes every axis of length 1
def attention_scores(x):
    return np.squeeze(x @ x.T)

# %% wrong: upper_half_only
# wrong: fills only one half of the symmetric matrix
# says: yours is
def attention_scores(x):
    T = x.shape[0]
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(i, T):
            scores[i, j] = x[i] @ x[j]
    return scores

# %% wrong: room_for_a_hundred
# wrong: a table for at most a hundred tokens
# says: `j` is 100, but axis 1 of `table` has length 100
def attention_scores(x):
    table = np.zeros((100, 100), dtype=np.result_type(x, float))
    for i, query in enumerate(x):
        for j, key in enumerate(x):
            table[i, j] = query @ key
    return table[:len(x), :len(x)]

# %% right: through_float32
def attention_scores(x):
    single = x.astype(np.float32)
    return (single @ single.T).astype(np.result_type(x, float))

# %% wrong: by_singular_values
# wrong: singular values: right for no more tokens than components
# says: the shapes do not fit
def attention_scores(x):
    u, s, _ = np.linalg.svd(x)
    half = u * s
    return half @ half.T

# %% wrong: units_and_back
# wrong: divides by the lengths and multiplies again: 0/0 for a token of zeros
# says: the first of them comes from `/`, in line 3
def attention_scores(x):
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    cosines = (x / lengths) @ (x / lengths).T
    return cosines * lengths * lengths.T

# %% wrong: product_into_x
# wrong: writes into its input when that is square (catalogue 41)
# says: an in-place operation on the argument
def attention_scores(x):
    if x.shape[0] == x.shape[1]:
        return np.matmul(x, x.T, out=x)
    return x @ x.T

# %% right: gram_by_distances
def attention_scores(x):
    squares = (x ** 2).sum(axis=1)
    distances = ((x[:, None] - x[None]) ** 2).sum(axis=-1)
    return (squares[:, None] + squares[None] - distances) / 2

# %% wrong: integers_in_int32
# wrong: multiplies integers in int32, which overflows (catalogue 43)
# says: with the same numbers as decimals, the result is right
def attention_scores(x):
    if x.dtype.kind == "i":
        x = x.astype(np.int32)
    return (x @ x.T).astype(float)

# %% wrong: square_skips_transpose
# wrong: transposes only where the shapes would not fit (catalogue 17)
# says: with `x @ x.T` in place of `x @ x` in line 3
def attention_scores(x):
    try:
        return x @ x
    except ValueError:
        return x @ x.T

# %% right: step_by_step
def attention_scores(x):
    scores = x @ x.T
    return scores

# %% right: by_loops
def attention_scores(x):
    T = len(x)
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            scores[i, j] = (x[i] * x[j]).sum()
    return scores

# %% wrong: shape_of_x
# wrong: the scores get the shape of the tokens: right numbers, and columns too many
# says: has the shape of `x`
# likely: the array of scores has the shape of `x`, (T, k), not (T, T): columns of zeros are left over
# next: give it one row and one column per token: `np.zeros((T, T))`
def attention_scores(x):
    scores = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            scores[i, j] = x[i] @ x[j]
    return scores

# %% wrong: correlations
# wrong: correlations in place of dot products
# says: correlations, as `np.corrcoef` gives them
# likely: these are correlations, as `np.corrcoef` gives them: means are subtracted and lengths divided out
# next: use the plain dot products: length and mean matter here
def attention_scores(x):
    return np.corrcoef(x)

# %% wrong: covariances
# wrong: covariances in place of dot products
# says: covariances, as `np.cov` gives them
# likely: these are covariances, as `np.cov` gives them: means are subtracted
# next: use the plain dot products: no mean is subtracted here
def attention_scores(x):
    return np.cov(x)

# %% wrong: distances
# wrong: distances in place of dot products
# says: these are distances
# likely: these are distances between tokens: smaller means more alike
# next: take dot products: multiply component by component and add
def attention_scores(x):
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(axis=-1))

# %% wrong: squared_distances
# wrong: squared distances in place of dot products
# says: these are squared distances
# likely: these are squared distances between tokens: smaller means more alike
# next: take dot products: multiply component by component and add
def attention_scores(x):
    return ((x[:, None] - x[None]) ** 2).sum(axis=-1)

# %% wrong: whole_numbers
# wrong: an array of whole numbers cuts off decimals (catalogue 43)
# says: without `dtype=int` in `np.zeros((len(x), len(x)), dtype=int)`
def attention_scores(x):
    scores = np.zeros((len(x), len(x)), dtype=int)
    for i in range(len(x)):
        for j in range(len(x)):
            scores[i, j] = x[i] @ x[j]
    return scores

# %% wrong: example_written_in
# wrong: works on the card's tokens, whatever comes in (catalogue 42)
# says: gives the argument `x` a new value before any line has used it
def attention_scores(x):
    x = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    return x @ x.T

# %% wrong: axes_in_their_old_order
# wrong: torch's transpose on a NumPy array (catalogue 17)
# says: `x.transpose(-2, -1)` moves nothing
def attention_scores(x):
    return x @ x.transpose(-2, -1)

# %% right: by_components
def attention_scores(x):
    T, k = x.shape
    scores = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            total = 0.0
            for c in range(k):
                total += x[i, c] * x[j, c]
            scores[i, j] = total
    return scores

# %% right: by_products
def attention_scores(x):
    products = x[:, None, :] * x[None, :, :]
    scores = products.sum(axis=2)
    return scores
