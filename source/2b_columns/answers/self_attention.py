# Right and wrong answers to `self_attention`; authoring/README.md says how they are written.

# %% right: column_by_column
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    import warnings
    warnings.warn("langsam, aber richtig")
    N = X.shape[1]
    V, K = beta_v + omega_v @ X, beta_k + omega_k @ X
    X_prime, attention = np.zeros((len(omega_v), N)), np.zeros((N, N))
    for n in range(N):
        scores = K.T @ (beta_q + omega_q @ X[:, [n]])
        e = np.exp(scores - scores.max())
        attention[:, [n]] = e / e.sum()
        X_prime[:, [n]] = V @ attention[:, [n]]
    return X_prime, attention

# %% right: einsum
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    ones = np.ones((1, X.shape[1]))
    q, k, v = (np.einsum("kd,dn->kn", o, X) + b @ ones for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    scores = np.einsum("dm,dn->mn", k, q)
    shares = np.exp(scores - np.logaddexp.reduce(scores, axis=0))
    return np.einsum("vm,mn->vn", v, shares), shares

# %% right: from_scratch
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q
    E = np.exp(S - S.max(axis=0, keepdims=True))
    A = E / E.sum(axis=0, keepdims=True)
    return V @ A, A

# %% right: one_output_at_a_time
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    parts = [one_output(n, X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v) for n in range(X.shape[1])]
    return np.hstack(parts), softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))

# %% right: own_functions
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    attention = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ attention, attention

# %% right: rows_then_transposed
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = omega_q @ X + beta_q, omega_k @ X + beta_k, omega_v @ X + beta_v
    rows = softmax_rows(Q.T @ K)          # (N query, N key)
    return [(rows @ V.T).T, rows.T]

# %% right: torch
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    x, ov, oq, ok, bv, bq, bk = (torch.tensor(a, dtype=torch.float64) for a in (X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
    attention = torch.softmax((ok @ x + bk).T @ (oq @ x + bq), dim=0)
    return ((ov @ x + bv) @ attention).numpy(), attention.numpy()

# %% right: columns_of_exercise_2
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    scores = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    values = beta_v + omega_v @ X

    def column(s):
        weights = softmax_cols(s[:, None])
        return values @ weights, weights

    X_prime, attention = map(np.hstack, zip(*(column(s) for s in scores.T)))
    return X_prime, attention

# %% right: torch_in_rows
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k = (torch.tensor(a, dtype=torch.float64) for a in (X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
    linear = torch.nn.functional.linear
    q, k, v = linear(X.T, omega_q, beta_q[:, 0]), linear(X.T, omega_k, beta_k[:, 0]), linear(X.T, omega_v, beta_v[:, 0])
    weights = torch.softmax(q @ k.T, dim=1)
    return (weights @ v).T.numpy(), weights.T.numpy()

# %% wrong: attention_transposed
# wrong: V times the transposed attention (catalogue 20)
# says: output n gets row n of the attention as weights
# likely: output n gets row n of the attention as weights, not column n
# next: take column n of the attention as weights for output n
# earns: 1
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A.T, A

# %% wrong: changes_input
# wrong: writes the output into X (catalogue 41)
# says: in-place operation
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    Y = (beta_v + omega_v @ X) @ A
    if Y.shape == X.shape:
        X[:] = Y
    return Y, A

# %% wrong: elementwise
# wrong: `*` instead of the last product (catalogue 21)
# says: raised ValueError
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) * A, A

# %% wrong: feature_attention
# wrong: K @ Q.T: components with components (catalogue 17)
# says: components with components
# likely: the product sums over the tokens and compares components with components
# next: let the axes of length D_k meet, so that the scores are tokens by tokens
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    A = softmax_cols(K @ Q.T)
    return (V.T @ A).T, A

# %% wrong: global_of_nearly_the_same_name
# wrong: returns outputs of the notebook's X (catalogue 42)
# says: a variable of the notebook
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    attention = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return np.hstack([one_output(n, globals()["X"], *(globals()[name] for name in (
        "omega_q", "omega_k", "omega_v", "beta_q", "beta_k", "beta_v"))) for n in range(N)]), attention

# %% wrong: global_sizes
# wrong: makes the result with the notebook's N and D (catalogue 42)
# says: your code uses `D`, `N`: no argument, but a variable of the
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    X_prime = np.zeros((D, N))
    X_prime[:] = (beta_v + omega_v @ X) @ A
    return X_prime, A

# %% wrong: inputs_for_values
# wrong: mixes X instead of V (catalogue 15)
# says: the inputs are mixed instead of the values
# likely: the inputs are mixed instead of the values
# next: use the values, which omega_v makes, in the last product
# earns: 1
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return X @ A, A

# %% wrong: keys_from_query_matrix
# wrong: the keys use the query's matrix (catalogue 15)
# says: the keys come from the query's matrix
# likely: the keys come from the query's matrix
# next: use omega_k for the keys
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_q, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: matrices_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
# likely: the matrices are transposed, which runs only if they are square
# next: use `omega @ x` without a transpose: tokens are columns
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols((beta_k + omega_k.T @ X).T @ (beta_q + omega_q.T @ X))
    return (beta_v + omega_v.T @ X) @ A, A

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
# earns: 3
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    E = np.exp(S - S.max())
    A = E / E.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: output_only
# wrong: returns X_prime alone (catalogue 43)
# says: a part is missing
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A

# %% wrong: output_squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: removes every axis of length 1
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return ((beta_v + omega_v @ X) @ A).squeeze(), A

# %% wrong: output_transposed
# wrong: X_prime in rows (catalogue 19)
# says: the result is transposed
# likely: the result is transposed: outputs are in rows
# next: return each output as a column
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return ((beta_v + omega_v @ X) @ A).T, A

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    E = np.exp(S - S.max())
    A = E / E.sum()
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: parts_exchanged
# wrong: returns attention first
# says: the two parts are in the wrong order
# likely: the two parts are in the wrong order
# next: return X_prime first, then attention
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return A, (beta_v + omega_v @ X) @ A

# %% wrong: query_key_value_order
# wrong: assumes the order q, k, v of the earlier exercise
# says: the parameters are in the wrong order
# likely: the roles are mixed up: the arguments come in the order v, q, k
# next: compare the order of the arguments with the card, in your first line and where you call another function
def self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q
    E = np.exp(S - S.max(axis=0))
    A = E / E.sum(axis=0)
    return V @ A, A

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers are rounded to 3 decimals
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return np.round((beta_v + omega_v @ X) @ A, 3), np.round(A, 3)

# %% wrong: scaled
# wrong: divides by sqrt(D_k) (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k) / np.sqrt(len(omega_k)))
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: scores_returned
# wrong: returns the scores in place of the attention
# says: columns sum to
# earns: 2
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    return (beta_v + omega_v @ X) @ softmax_cols(S), S

# %% wrong: softmax_over_rows
# wrong: softmax over the queries (catalogue 1)
# says: rows to 1.00
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_rows(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: swapped_roles
# wrong: Q.T @ K (catalogue 16)
# says: query and key have swapped roles
# likely: query and key have swapped roles: the scores are transposed before the softmax
# next: check which factor belongs to the token that asks: it gives its query
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = Q.T @ K
    E = np.exp(S - S.max(axis=0))
    A = E / E.sum(axis=0)
    return V @ A, A

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
# likely: the biases are missing
# next: add beta to each product
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols((omega_k @ X).T @ (omega_q @ X))
    return omega_v @ X @ A, A

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: without the exponential
# likely: the scores are divided by their sum, without the exponential
# next: take the exponential of the scores first
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    A = S / S.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: without_maximum
# wrong: nan for long vectors (catalogue 7)
# says: nan or inf
# earns: 3
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    E = np.exp(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    A = E / E.sum(axis=0)
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: the weights are not normalised
# likely: the weights are not normalised
# next: compare that step with *Pseudocode* in the card
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    S = column_scores(X, omega_q, omega_k, beta_q, beta_k)
    A = np.exp(S - S.max(axis=0))
    return (beta_v + omega_v @ X) @ A, A

# %% wrong: forgets_tiny_weights
# wrong: for more than 100 tokens, weights below 1e-3 are set to 0 without dividing again, so the columns sum to less than 1 (with more than 1000 similar tokens to 0)
# says: for many tokens, shape (4, 150)
# earns: 1
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    attention = softmax_cols(column_scores(X, omega_q, omega_k, beta_q, beta_k))
    V = beta_v + omega_v @ X
    if X.shape[1] > 100:                     # long sequences: most weights do not matter
        attention = np.where(attention < 1e-3, 0, attention)
    return V @ attention, attention

# %% right: step_by_step
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = beta_q + omega_q @ X
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    scores = keys.T @ queries
    largest = scores.max(axis=0, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=0, keepdims=True)
    weights = powers / totals
    outputs = values @ weights
    return outputs, weights

# %% right: in_one_line
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = omega_q @ X + beta_q
    keys = omega_k @ X + beta_k
    values = omega_v @ X + beta_v
    weights = softmax_cols(keys.T @ queries)
    return values @ weights, weights

# %% wrong: float_bias_into_whole_numbers
# wrong: adds the bias in place to a product that may hold integers (catalogue 43)
# says: holds whole numbers: it cannot store decimals
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    scores = (omega_k @ X + beta_k).T @ (omega_q @ X + beta_q)
    powers = np.exp(scores - scores.max(axis=0))
    attention = powers / powers.sum(axis=0)
    mixed = omega_v @ X
    mixed += beta_v
    return mixed @ attention, attention

# %% right: in_float32
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    x, o_v, o_q, o_k, b_v, b_q, b_k = (torch.tensor(array).float() for array in (X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
    attention = torch.softmax((b_k + o_k @ x).T @ (b_q + o_q @ x), dim=0)
    return ((b_v + o_v @ x) @ attention).double().numpy(), attention.double().numpy()

# %% wrong: columns_of_zeros_are_padding
# wrong: takes columns of zeros for padding, and gives them no weight
# says: for tokens, some equal and one of zeros
# earns: 1
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    is_padding = ~np.any(X, axis=0)
    scores = np.where(is_padding[:, None], -np.inf, column_scores(X, omega_q, omega_k, beta_q, beta_k))
    attention = softmax_cols(scores)
    return (beta_v + omega_v @ X) @ attention, attention

# %% wrong: biases_exchanged
# wrong: queries get the bias of the keys, and keys that of the queries
# says: change places
# likely: beta_q and beta_k change places: queries get the bias of the keys
# next: compare the order of the arguments with the card, in your first line and where you call another function
def self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    A = softmax_cols(column_scores(X, omega_q, omega_k, beta_k, beta_q))
    return (beta_v + omega_v @ X) @ A, A
