# Right and wrong answers to `scaled_dot_product_self_attention`; authoring/README.md says how they are written.

# %% right: scores_divided
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)

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
    return (omega_v @ X + beta_v) @ softmax(K.T @ Q, axis=0)

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
    return (softmax(Q @ K.T * (1 / np.sqrt(Q.shape[1]))) @ V).T

# %% right: torch_library
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    q, k, v = (torch.tensor((b + o @ X).T, dtype=torch.float64) for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).T.numpy()

# %% wrong: after_softmax
# wrong: divides the weights (catalogue 13)
# says: after the softmax
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ (softmax(K.T @ Q, axis=0) / np.sqrt(len(K)))

# %% wrong: attention_returned
# wrong: returns the attention (catalogue 43)
# says: the attention is returned
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: attention_transposed
# wrong: V times the transposed attention (catalogue 20)
# says: transposed before the product
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0).T

# %% wrong: both_returned
# wrong: returns a tuple as in lesson 2 (catalogue 43)
# says: one part too many is returned
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    A = softmax(K.T @ Q / np.sqrt(len(K)), axis=0)
    return V @ A, A

# %% wrong: by_d
# wrong: divides by D_k (catalogue 10)
# says: divided by d itself
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / len(K), axis=0)

# %% wrong: by_inputs
# wrong: divides by the root of D (catalogue 11)
# says: another length than the one
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / np.sqrt(X.shape[0]), axis=0)

# %% wrong: by_tokens
# wrong: divides by the root of N (catalogue 12)
# says: another length than the one
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / np.sqrt(K.shape[1]), axis=0)

# %% wrong: by_values
# wrong: divides by the root of D_v (catalogue 12)
# says: another length than the one
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / np.sqrt(len(V)), axis=0)

# %% wrong: changes_input
# wrong: scales the matrix in place (catalogue 41)
# says: in-place operation
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    X /= np.sqrt(len(X))
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: elementwise
# wrong: `*` instead of the last product (catalogue 21)
# says: raised ValueError
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V * softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: feature_attention
# wrong: features with features (catalogue 17)
# says: the largest difference
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return (V.T @ softmax(K @ Q.T / np.sqrt(len(K)), axis=0)).T

# %% wrong: global_dimension
# wrong: divides by a fixed 2, the root of this example's 4 (catalogue 42)
# says: the largest difference
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / 2, axis=0)

# %% wrong: inputs_for_values
# wrong: mixes X (catalogue 15)
# says: the inputs are mixed
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K = beta_q + omega_q @ X, beta_k + omega_k @ X
    return X @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: keys_from_queries
# wrong: the query's matrix makes the keys too (catalogue 15)
# says: the largest difference
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_q @ X, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: matrices_transposed
# wrong: transposes the matrices (catalogue 18)
# says: the matrices are transposed
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q.T @ X, beta_k + omega_k.T @ X, beta_v + omega_v.T @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    e = np.exp(S - S.max())
    return V @ (e / e.sum(axis=0))

# %% wrong: multiplied
# wrong: multiplies by the root (catalogue 9)
# says: multiplied by the root
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q * np.sqrt(len(K)), axis=0)

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: the scores are not scaled
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q, axis=0)

# %% wrong: output_transposed
# wrong: outputs in rows (catalogue 19)
# says: the axes are in another order
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return (V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)).T

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: no mistake that this check knows
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    return V @ softmax(S.ravel()).reshape(S.shape)

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: adds up over the queries
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=1)

# %% wrong: query_key_value_order
# wrong: assumes the order q, k, v
# says: in the order v, q, k
def scaled_dot_product_self_attention(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: rounded
# wrong: rounds the outputs (catalogue 50)
# says: the numbers were rounded
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return np.round(V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0), 3)

# %% wrong: squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return np.squeeze(V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0))

# %% wrong: swapped_roles
# wrong: Q.T @ K (catalogue 16)
# says: changed roles
-    return V @ softmax(K.T @ Q / np.sqrt(K.shape[0]), axis=0)
+    return V @ softmax(Q.T @ K / np.sqrt(len(K)), axis=0)

# %% wrong: twice
# wrong: divides q and k by the root, each (catalogue 10)
# says: divided by d itself
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    root = np.sqrt(len(omega_k))
    Q, K, V = (beta_q + omega_q @ X) / root, (beta_k + omega_k @ X) / root, beta_v + omega_v @ X
    return V @ softmax(K.T @ Q, axis=0)

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = omega_q @ X, omega_k @ X, omega_v @ X
    return V @ softmax(K.T @ Q / np.sqrt(len(K)), axis=0)

# %% wrong: without_maximum
# wrong: relies on the scaling against overflow (catalogue 7)
# says: nan or inf
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    e = np.exp(K.T @ Q / np.sqrt(len(K)))
    return V @ (e / e.sum(axis=0))

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: the largest difference
def scaled_dot_product_self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
    Q, K, V = beta_q + omega_q @ X, beta_k + omega_k @ X, beta_v + omega_v @ X
    S = K.T @ Q / np.sqrt(len(K))
    return V @ np.exp(S - S.max(axis=0))
