# Right and wrong answers to `scaled_dot_product_self_attention`; authoring/README.md says how they are written.

# %% right: scores_divided
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))

# %% right: divided_in_place
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    N = X.shape[1]
    ones = np.ones((1, N))
    Q = omega_q @ X + beta_q @ ones
    Q /= np.sqrt(len(Q))
    scores = (omega_k @ X + beta_k @ ones).T @ Q
    scores -= scores.max(axis=0)
    e = np.exp(scores)
    e /= e.sum(axis=0)
    return (omega_v @ X + beta_v @ ones) @ e

# %% right: einsum_log_space
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    q, k, v = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    s = np.einsum("dm,dn->mn", k, q) / np.sqrt(float(q.shape[0]))
    return np.einsum("vm,mn->vn", v, np.exp(s - np.logaddexp.reduce(s, axis=0, keepdims=True)))

# %% right: fourth_roots
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = len(omega_k) ** 0.25
    Q, K = (omega_q @ X + beta_q) / root, (omega_k @ X + beta_k) / root
    return (omega_v @ X + beta_v) @ softmax_cols(K.T @ Q)

# %% right: one_column_at_a_time
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    d_k, N = omega_q.shape[0], X.shape[1]
    result = np.zeros((omega_v.shape[0], N))
    for n in range(N):
        q = beta_q[:, 0] + omega_q @ X[:, n]
        scores = np.array([(beta_k[:, 0] + omega_k @ X[:, m]) @ q for m in range(N)]) / d_k ** 0.5
        e = np.exp(scores - scores.max())
        for m in range(N):
            result[:, n] += e[m] / e.sum() * (beta_v[:, 0] + omega_v @ X[:, m])
    return result

# %% right: rows_transposed
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = ((o @ X + b).T for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return (softmax_rows(Q @ K.T * (1 / np.sqrt(Q.shape[1]))) @ V).T

# %% right: torch_library
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    q, k, v = (torch.tensor((b + o @ X).T, dtype=torch.float64) for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).T.numpy()

# %% right: bias_after_the_mix
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    def affine(omega, beta, tokens):
        return omega @ tokens + beta

    scores = affine(omega_k, beta_k, X).T.dot(affine(omega_q, beta_q, X)) * len(beta_k) ** -0.5
    return affine(omega_v, beta_v, X @ softmax_cols(scores))

# %% right: exponential_by_hand
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    scores = K.T @ Q
    e = np.exp((scores - np.max(scores, axis=0)) / np.sqrt(np.size(Q, 0)))
    return (V @ e) / np.sum(e, axis=0)

# %% wrong: after_softmax
# wrong: divides the weights (catalogue 13)
# says: after the softmax
# likely: the weights are divided after the softmax, so they no longer sum to one
# next: divide the scores, before the softmax
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ (softmax_cols(K.T @ Q) / np.sqrt(len(K)))

# %% wrong: attention_returned
# wrong: returns the attention (catalogue 43)
# says: the attention is returned
# likely: the attention is returned instead of the outputs
# next: multiply V by it, and return that
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: attention_transposed
# wrong: V times the transposed attention (catalogue 20)
# says: output n gets row n of the attention as weights
# likely: output n gets row n of the attention as weights, not column n
# next: take column n of the attention as weights for output n
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K))).T

# %% wrong: both_returned
# wrong: returns a tuple as in lesson 2 (catalogue 43)
# says: the result is a tuple of 2 parts; the card wants one array
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    A = softmax_cols(K.T @ Q / np.sqrt(len(K)))
    return V @ A, A

# %% wrong: by_d
# wrong: divides by D_k (catalogue 10)
# says: divided by D_k itself
# likely: the scores are divided by D_k itself, so they are too small and the weights too equal
# next: divide by its square root
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / len(K))

# %% wrong: by_inputs
# wrong: divides by the root of D (catalogue 11)
# says: the root of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the dimension of a query in the root; which axis of which array has that length?
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / np.sqrt(X.shape[0]))

# %% wrong: by_tokens
# wrong: divides by the root of N (catalogue 12)
# says: the root of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the dimension of a query in the root; which axis of which array has that length?
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[1]))

# %% wrong: by_values
# wrong: divides by the root of D_v (catalogue 12)
# says: the root of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the dimension of a query in the root; which axis of which array has that length?
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / np.sqrt(len(V)))

# %% wrong: changes_input
# wrong: scales the matrix in place (catalogue 41)
# says: in-place operation
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    X /= np.sqrt(len(X))
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: elementwise
# wrong: `*` instead of the last product (catalogue 21)
# says: raised ValueError
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V * softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: feature_attention
# wrong: components with components (catalogue 17)
# says: yours is
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return (V.T @ softmax_cols(K @ Q.T / np.sqrt(len(K)))).T

# %% wrong: global_dimension
# wrong: divides by a fixed 2, the root of this example's 4 (catalogue 42)
# says: divided by 2, the root of the example's D_k
# likely: the scores are divided by 2, the root of the example's D_k, for every D_k
# next: take D_k from an array: `K.shape[0]`
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q / 2)

# %% wrong: inputs_for_values
# wrong: mixes X (catalogue 15)
# says: the inputs are mixed
# likely: the inputs are mixed instead of the values
# next: use the values, which omega_v makes, in the last product
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return X @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: keys_from_queries
# wrong: the query's matrix makes the keys too (catalogue 15)
# says: yours is
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_q @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: matrices_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
# likely: the matrices are transposed, which runs only if they are square
# next: use `omega @ x` without a transpose: tokens are columns
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q.T @ X, beta_k + omega_k.T @ X, beta_v + omega_v.T @ X
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
# earns: 3
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    e = np.exp(S - S.max())
    return V @ (e / e.sum(axis=0))

# %% wrong: multiplied
# wrong: multiplies by the root (catalogue 9)
# says: multiplied by the root
# likely: the scores are multiplied by the root instead of divided
# next: divide, so that they become smaller
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q * np.sqrt(len(K)))

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide them by the root of the dimension that queries and keys share
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(K.T @ Q)

# %% wrong: output_transposed
# wrong: outputs in rows (catalogue 19)
# says: the result is transposed: rows and columns are swapped
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return (V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))).T

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: the softmax runs over all entries
# likely: the softmax runs over all entries
# next: compare that step with *Pseudocode* in the card
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    return V @ softmax_cols(S.ravel()).reshape(S.shape)

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: runs over the queries
# likely: the softmax runs over the queries
# next: take one softmax per query: let it run over the keys
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_rows(K.T @ Q / np.sqrt(len(K)))

# %% wrong: query_key_value_order
# wrong: assumes the order q, k, v
# says: the parameters are in the wrong order
# likely: the roles are mixed up: the arguments come in the order v, q, k
# next: compare the order of the arguments with the card, in your first line and where you call another function
def scaled_dot_product_self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: rounded
# wrong: rounds the outputs (catalogue 50)
# says: the numbers are rounded to 3 decimals
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return np.round(V @ softmax_cols(K.T @ Q / np.sqrt(len(K))), 3)

# %% wrong: squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: removes every axis of length 1
# earns: 2
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return np.squeeze(V @ softmax_cols(K.T @ Q / np.sqrt(len(K))))

# %% wrong: swapped_roles
# wrong: Q.T @ K (catalogue 16)
# says: swapped roles
# likely: query and key have swapped roles: the scores are transposed before the softmax
# next: check which factor belongs to the token that asks: it gives its query
-    return V @ softmax_cols(K.T @ Q / np.sqrt(K.shape[0]))
+    return V @ softmax_cols(Q.T @ K / np.sqrt(len(K)))

# %% wrong: twice
# wrong: divides q and k by the root, each (catalogue 10)
# says: divided by D_k itself
# likely: the scores are scaled twice
# next: divide either the scores by the root of D_k, or queries and keys each by its fourth root
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = np.sqrt(len(omega_k))
    Q, K, V = (beta_q + omega_q @ X) / root, (beta_k + omega_k @ X) / root, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q)

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
# likely: the biases are missing
# next: add beta to each product
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = omega_q @ X, omega_k @ X, omega_v @ X
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(K)))

# %% wrong: without_maximum
# wrong: relies on the scaling against overflow (catalogue 7)
# says: nan or inf
# earns: 3
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    e = np.exp(K.T @ Q / np.sqrt(len(K)))
    return V @ (e / e.sum(axis=0))

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: yours is
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    return V @ np.exp(S - S.max(axis=0))

# %% right: step_by_step
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = beta_q + omega_q @ X
    keys = beta_k + omega_k @ X
    values = beta_v + omega_v @ X
    d = keys.shape[0]
    scores = keys.T @ queries / np.sqrt(d)
    largest = scores.max(axis=0, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=0, keepdims=True)
    weights = powers / totals
    outputs = values @ weights
    return outputs

# %% wrong: only_the_query_matrix_scaled
# wrong: the matrix of the queries is divided by the root, their bias is not
# says: only part of the query is divided by the root
# likely: only part of the query is divided by the root: its matrix, not its bias
# next: divide the whole score, after the product: `K.T @ Q / np.sqrt(D_k)`
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = np.sqrt(len(omega_q))
    Q, K, V = beta_q + omega_q @ X / root, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q)

# %% wrong: only_the_query_bias_scaled
# wrong: the bias of the queries is divided by the root, their matrix is not
# says: only part of the query is divided by the root
# likely: only part of the query is divided by the root: its bias, not its matrix
# next: divide the whole score, after the product: `K.T @ Q / np.sqrt(D_k)`
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = np.sqrt(len(omega_q))
    Q, K, V = beta_q / root + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q)

# %% wrong: tokens_scaled
# wrong: X is divided by the root, the scores are not
# says: the tokens are divided by the root
# likely: the tokens are divided by the root, not the scores
# next: divide the whole score, after the product: `K.T @ Q / np.sqrt(D_k)`
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    X = X / np.sqrt(len(omega_q))
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax_cols(K.T @ Q)

# %% right: in_one_line
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    queries = omega_q @ X + beta_q
    keys = omega_k @ X + beta_k
    values = omega_v @ X + beta_v
    d = keys.shape[0]
    scores = (keys.T @ queries) * d ** -0.5
    weights = softmax_cols(scores)
    outputs = values @ weights
    return outputs

# %% right: in_float32
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    x, o_v, o_q, o_k, b_v, b_q, b_k = (torch.tensor(array).float() for array in (X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
    q, k, v = ((beta + omega @ x).T for beta, omega in ((b_q, o_q), (b_k, o_k), (b_v, o_v)))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).T.double().numpy()
