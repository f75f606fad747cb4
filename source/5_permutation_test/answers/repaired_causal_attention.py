# Right and wrong answers to `repaired_causal_attention`; authoring/README.md says how they are written.

# %% right: one_line_changed
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% right: added_mask
def repaired_causal_attention(x):
    T, k = x.shape
    scores = x @ x.T / k ** 0.5 + np.triu(np.full((T, T), -np.inf), 1)
    e = np.exp(scores - scores.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ x

# %% right: boolean_index
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores[~causal_mask(len(x))] = -np.inf
    e = np.exp(scores - scores.max(axis=-1)[:, None])
    return np.einsum('ij,jk->ik', e / e.sum(axis=-1)[:, None], x)

# %% right: large_negative
def repaired_causal_attention(x):
    scores = np.where(np.tri(len(x), dtype=bool), np.inner(x, x) / x.shape[1] ** 0.5, -1e300)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e @ x / e.sum(axis=1, keepdims=True)

# %% right: library_function
def repaired_causal_attention(x):
    t = torch.tensor(x, dtype=torch.float64)[None]
    return nn.functional.scaled_dot_product_attention(t, t, t, is_causal=True)[0].numpy()

# %% right: query_by_query
def repaired_causal_attention(x):
    out = []
    for i in range(len(x)):
        s = x[:i + 1] @ x[i] / np.sqrt(x.shape[1])
        e = np.exp(s - s.max())
        out.append((e / e.sum()) @ x[:i + 1])
    return np.stack(out)

# %% right: weights_masked_and_renormalised
def repaired_causal_attention(x):
    allowed = causal_mask(len(x))
    scores = x @ x.T / np.sqrt(x.shape[1])
    largest = np.array([scores[i, :i + 1].max() for i in range(len(x))])[:, None]
    e = np.where(allowed, np.exp(np.minimum(scores - largest, 0)), 0)
    return (e / e.sum(axis=1, keepdims=True)) @ x

# %% wrong: after_softmax
# wrong: masks the weights (catalogue 32)
# says: mask acts after the softmax
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    weights = weights * causal_mask(len(x))
    return weights @ x

# %% wrong: diagonal_masked
# wrong: a token does not see itself (catalogue 35, 37)
# says: query 0 has no key left
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(np.tri(len(x), k=-1, dtype=bool), scores, -np.inf)

# %% wrong: diagonal_masked_softly
# wrong: a token does not see itself, with a finite mask (catalogue 35)
# says: no mistake that this check knows
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(np.tri(len(x), k=-1, dtype=bool), scores, -1e9)

# %% wrong: four_tokens
# wrong: a mask for four tokens (catalogue 42)
# says: your code raised
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(4), scores, -np.inf)

# %% wrong: in_place
# wrong: divides x in place (catalogue 41)
# says: in-place operation
def repaired_causal_attention(x):
    x = np.divide(x, x.shape[1] ** 0.25, out=x) if x.dtype.kind == 'f' else x / x.shape[1] ** 0.25
    scores = x @ x.T
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x * x.shape[1] ** 0.25

# %% wrong: integer_result
# wrong: keeps the input's type (catalogue 43)
# says: your array holds int
-    return weights @ x
+    return (weights @ x).astype(x.dtype)

# %% wrong: inverted_left
# wrong: the past is masked (catalogue 34, 35)
# says: the last query has no key left
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), -np.inf, scores)

# %% wrong: maximum_of_everything
# wrong: one maximum for all rows (catalogue 8)
# says: nan or inf
-    e = np.exp(scores - scores.max(axis=1, keepdims=True))
+    e = np.exp(scores - scores.max())

# %% wrong: one_too_far
# wrong: sees one token of the future (catalogue 35)
# says: sees the one after it
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(np.tri(len(x), k=1, dtype=bool), scores, -np.inf)

# %% wrong: over_queries
# wrong: softmax over queries (catalogue 1)
# says: no mistake that this check knows
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = e / e.sum(axis=0, keepdims=True)
    return weights @ x

# %% wrong: past_masked
# wrong: the past is masked, the diagonal is not (catalogue 34)
# says: the past is masked
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)).T, scores, -np.inf)

# %% wrong: small_mask
# wrong: masked scores of -5 (catalogue 33)
# says: no mistake that this check knows
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), scores, -5.0)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
-    return weights @ x
+    return np.squeeze(weights @ x)

# %% wrong: still_faulty
# wrong: nothing is mended (catalogue 33, 34)
# says: both faults are still there
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), 0.0, scores)

# %% wrong: unmasked
# wrong: the result of the mask is dropped (catalogue 39, 40)
# says: nothing is masked
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    np.where(causal_mask(len(x)), scores, -np.inf)

# %% wrong: unscaled
# wrong: line 1 lost its scale (catalogue 9)
# says: not divided by √k
-    scores = x @ x.T / np.sqrt(x.shape[1])
+    scores = x @ x.T

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
-    e = np.exp(scores - scores.max(axis=1, keepdims=True))
+    e = np.exp(scores)

# %% wrong: zero_left
# wrong: masked scores are 0 (catalogue 33)
# says: e to the power 0 is 1
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), scores, 0.0)

# %% wrong: zero_times_infinity
# wrong: 0 times -inf (catalogue 38)
# says: nan or inf
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = scores + ~causal_mask(len(x)) * -np.inf
