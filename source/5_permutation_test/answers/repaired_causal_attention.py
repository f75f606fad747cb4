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

# %% right: running_sums
def repaired_causal_attention(x):
    T, k = x.shape
    top = np.full((T, 1), -np.inf)
    total = np.zeros((T, 1))
    mixed = np.zeros((T, k))
    for j in range(T):
        later = slice(j, T)                                       # these queries see key j
        score = (x[later] @ x[j] / np.sqrt(k))[:, None]
        new_top = np.maximum(top[later], score)
        old, e = np.exp(top[later] - new_top), np.exp(score - new_top)
        total[later] = total[later] * old + e
        mixed[later] = mixed[later] * old + e * x[j]
        top[later] = new_top
    return mixed / total

# %% right: scores_divided_beforehand
def repaired_causal_attention(x):
    small = x / x.shape[1] ** 0.25
    scores = small @ small.T + np.where(causal_mask(len(x)), 0.0, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    logs = scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True))
    return np.exp(logs) @ x

# %% wrong: after_softmax
# wrong: masks the weights (catalogue 32)
# says: mask acts after the softmax
# likely: the mask acts after the softmax, so rows sum to less than one
# next: mask the scores
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    weights = weights * causal_mask(len(x))
    return weights @ x

# %% wrong: diagonal_masked
# wrong: a token does not see itself (catalogue 35, 37)
# says: query 0 has no key left
# likely: a token does not see itself: query 0 has no key left, and its row is 0/0
# next: include j = i: j ≤ i does
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(np.tri(len(x), k=-1, dtype=bool), scores, -np.inf)

# %% wrong: diagonal_masked_softly
# wrong: a token does not see itself, with a finite mask (catalogue 35)
# says: a token does not see itself, and the mask is finite
# likely: a token does not see itself, and the mask is finite
# next: compare that step with *Pseudocode* in the card
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
# likely: the past and the token itself are masked, not the future: the last query has no key left
# next: keep the score where the mask is True
# earns: 0
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
# likely: every token also sees the one after it
# next: mask from j = i + 1 on
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(np.tri(len(x), k=1, dtype=bool), scores, -np.inf)

# %% wrong: over_queries
# wrong: softmax over queries (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries
# next: compare that step with *Pseudocode* in the card
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = e / e.sum(axis=0, keepdims=True)
    return weights @ x

# %% wrong: past_masked
# wrong: the past is masked, the diagonal is not (catalogue 34)
# says: the past is masked
# likely: the past is masked, not the future
# next: keep the score where the mask is True
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)).T, scores, -np.inf)

# %% wrong: small_mask
# wrong: masked scores of -5 (catalogue 33)
# says: masked scores are -5
# likely: masked scores are -5
# next: compare that step with *Pseudocode* in the card
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), scores, -5.0)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
-    return weights @ x
+    return np.squeeze(weights @ x)

# %% wrong: still_faulty
# wrong: nothing is mended (catalogue 33, 34)
# says: both faults are still there
# likely: both faults are still there
# next: look at line 2: which entries keep their score, and what do the others become?
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), 0.0, scores)

# %% wrong: unmasked
# wrong: the result of the mask is dropped (catalogue 39, 40)
# says: nothing is masked
# likely: nothing is masked
# next: use the mask
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    np.where(causal_mask(len(x)), scores, -np.inf)

# %% wrong: unscaled
# wrong: line 1 lost its scale (catalogue 9)
# says: not divided by √k
# likely: the scores are not divided by √k
# next: keep line 1
-    scores = x @ x.T / np.sqrt(x.shape[1])
+    scores = x @ x.T

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
# earns: 3
-    e = np.exp(scores - scores.max(axis=1, keepdims=True))
+    e = np.exp(scores)

# %% wrong: zero_left
# wrong: masked scores are 0 (catalogue 33)
# says: e to the power 0 is 1
# likely: masked scores are 0, and e to the power 0 is 1
# next: use −∞
# earns: 0
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = np.where(causal_mask(len(x)), scores, 0.0)

# %% wrong: zero_times_infinity
# wrong: 0 times -inf (catalogue 38)
# says: nan or inf
-    scores = np.where(causal_mask(len(x)), scores, -np.inf)
+    scores = scores + ~causal_mask(len(x)) * -np.inf

# %% wrong: not_quite_hidden
# wrong: masked scores of -20 (catalogue 33)
# says: a masked key has a small weight, not zero
# earns: 3
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -20.0)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% wrong: fill_500
# wrong: masked scores of -500: a weight of 7e-218 is not zero (catalogue 33)
# says: a masked key has a small weight, not zero
# earns: 3
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -500.0)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% wrong: shift_by_first
# wrong: the first score of a row is subtracted, not the largest
# says: 9 of 12 entries are nan or inf
# earns: 3
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores[:, :1])
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% wrong: shift_by_largest_absolute
# wrong: the largest absolute score of a row is subtracted
# says: 0 / 0 in line 5: each exponential in that sum is 0
# earns: 3
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - np.abs(np.where(scores > -np.inf, scores, 0)).max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% wrong: shift_by_median
# wrong: the median score of a row is subtracted
# says: nan or inf
# earns: 3
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - np.array([np.median(row[row > -np.inf]) for row in scores])[:, None])
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ x

# %% right: eps_9
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / (e.sum(axis=1, keepdims=True) + 1e-9)
    return weights @ x

# %% right: float32_out
def repaired_causal_attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    scores = np.where(causal_mask(len(x)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return (weights @ x).astype(np.float32)

# %% right: step_by_step
def repaired_causal_attention(x):
    d = x.shape[1]
    scores = x @ x.T / np.sqrt(d)
    allowed = causal_mask(len(x))
    scores = np.where(allowed, scores, -np.inf)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=1, keepdims=True)
    weights = powers / totals
    outputs = weights @ x
    return outputs

# %% wrong: whole_root
# wrong: the root of k is rounded down
# says: the root of k is rounded down
# likely: the root of k is rounded down to a whole number
# next: use `np.sqrt(k)` or `k ** 0.5`; `math.isqrt` and `//` give whole numbers
-    scores = x @ x.T / np.sqrt(x.shape[1])
+    scores = x @ x.T / int(np.sqrt(x.shape[1]))

# %% wrong: half_of_k
# wrong: ** 1 / 2 is half of k
# says: divided by k / 2
# likely: the scores are divided by k / 2, not by √k
# next: write `** 0.5`: `**` comes before `/`
-    scores = x @ x.T / np.sqrt(x.shape[1])
+    scores = x @ x.T / (x.shape[1] / 2)

# %% wrong: sums_of_other_rows
# wrong: the sums lie along the columns
# says: each column is divided by the sum of a row
# likely: each column is divided by the sum of a row: the sums have lost their axis
# next: keep it: `e.sum(axis=1, keepdims=True)`
-    weights = e / e.sum(axis=1, keepdims=True)
+    weights = e / e.sum(axis=1)

# %% right: float32_throughout
def repaired_causal_attention(x):
    x = x.astype(np.float32)
    scores = x @ x.T / np.float32(np.sqrt(x.shape[1]))
    scores = np.where(causal_mask(len(x)), scores, np.float32(-np.inf))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ x

# %% wrong: position_by_value
# wrong: looks for the position of a token by its numbers, and finds that of the first that is equal
# says: for tokens, some equal and one of zeros
def repaired_causal_attention(x):
    tokens, outputs = x.tolist(), []
    for token in tokens:
        seen = x[:tokens.index(token) + 1]
        scores = seen @ np.array(token) / np.sqrt(x.shape[1])
        e = np.exp(scores - scores.max())
        outputs.append(e / e.sum() @ seen)
    return np.array(outputs)
