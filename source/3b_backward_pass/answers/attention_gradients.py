# Right and wrong answers to `attention_gradients`; authoring/README.md says how they are written.

# %% right: closed_form
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    weights = softmax(q @ k.T / root)
    at_weights = g @ v.T
    shared = (weights * at_weights).sum(axis=-1, keepdims=True)
    at_scores = weights * (at_weights - shared)
    at_scores = at_scores / root
    at_q = at_scores @ k
    at_k = at_scores.T @ q
    at_v = weights.T @ g
    return at_q, at_k, at_v

# %% right: jacobian_per_query
def attention_gradients(q, k, v, g):
    weights = softmax(q @ k.T / np.sqrt(k.shape[1]))
    at_scores = np.array([softmax_jacobian(p) @ (v @ error) for p, error in zip(weights, g)]) / np.sqrt(k.shape[1])
    return (at_scores @ k, at_scores.T @ q, weights.T @ g)

# %% right: loops
def attention_gradients(q, k, v, g):
    T, d = q.shape
    S = len(k)
    gq, gk, gv = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    for i in range(T):
        s = np.array([q[i] @ k[j] for j in range(S)]) / d ** 0.5
        p = np.exp(s - s.max())
        p = p / p.sum()
        e = v @ g[i]
        for j in range(S):
            change = p[j] * (e[j] - p @ e) / d ** 0.5
            gq[i] += change * k[j]
            gk[j] += change * q[i]
            gv[j] += p[j] * g[i]
    return gq, gk, gv

# %% right: einsum
def attention_gradients(q, k, v, g):
    d = len(q[0])
    p = softmax(np.einsum('id,jd->ij', q, k) * d ** -0.5, axis=1)
    e = np.einsum('ic,jc->ij', g, v)
    jacobians = np.einsum('ij,jk->ijk', p, np.eye(p.shape[1])) - np.einsum('ij,ik->ijk', p, p)
    s = np.einsum('ijk,ik->ij', jacobians, e) * d ** -0.5
    return np.einsum('ij,jd->id', s, k), np.einsum('ij,id->jd', s, q), np.einsum('ij,ic->jc', p, g)

# %% right: by_autograd
def attention_gradients(q, k, v, g):
    leaves = [torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in (q, k, v)]
    scores = leaves[0] @ leaves[1].T / leaves[0].shape[-1] ** 0.5
    outputs = torch.softmax(scores, dim=-1) @ leaves[2]
    (outputs * torch.tensor(g, dtype=torch.float64)).sum().backward()
    return tuple(leaf.grad.numpy() for leaf in leaves)

# %% right: scaled_queries
def scores_and_weights(q, k):
    scaled = q / np.sqrt(q.shape[-1])
    return scaled, softmax(scaled @ k.T)


def attention_gradients(q, k, v, g):
    scaled, weights = scores_and_weights(q, k)
    outputs = weights @ v
    at_scores = weights * (g @ v.T - (g * outputs).sum(-1)[:, None])
    print('gradients for', len(q), 'queries')
    return [at_scores @ k / np.sqrt(q.shape[-1]), at_scores.T @ scaled, weights.T @ g]

# %% right: output_instead_of_sum
def attention_gradients(q, k, v, g):
    q, k, v, g = (np.asarray(x, dtype=float) for x in (q, k, v, g))
    scale = 1 / np.sqrt(k.shape[-1])
    p = softmax(scale * q @ k.T)
    out = p @ v
    ds = scale * p * (g @ v.T - np.sum(g * out, axis=-1)[:, None])
    return ds @ k, ds.T @ q, p.T @ g

# %% right: query_by_query
def attention_gradients(q, k, v, g):
    d = len(q[0])
    at_q, at_k, at_v = (np.zeros(x.shape, dtype=float) for x in (q, k, v))
    for i, (query, error) in enumerate(zip(q, g)):
        weights = softmax(k @ query * d ** -0.5)
        at_scores = softmax_jacobian(weights).T @ (v @ error) * d ** -0.5
        at_q[i] = at_scores @ k
        at_k += np.outer(at_scores, query)
        at_v += np.outer(weights, error)
    return [at_q, at_k, at_v]

# %% right: scaled_inputs_first
def attention_gradients(q, k, v, g):
    fourth = q.shape[1] ** 0.25
    a, b = q / fourth, k / fourth
    p = softmax(b @ a.T, axis=0)                              # (S, T), keys in rows
    dp = v @ g.T
    ds = p * dp - p * (p * dp).sum(0)
    return (b.T @ ds / fourth).T, (a.T @ ds.T / fourth).T, (g.T @ p.T).T

# %% right: named_results
def attention_gradients(q, k, v, g):
    from collections import namedtuple
    Gradients = namedtuple("Gradients", "queries keys values")
    root = q.shape[-1] ** 0.5
    p = softmax(np.einsum("td,sd->ts", q, k) / root)
    jacobians = np.einsum("ts,sr->tsr", p, np.eye(len(k))) - np.einsum("ts,tr->tsr", p, p)
    ds = np.einsum("tsr,tr->ts", jacobians, g @ v.T) / root
    return Gradients(np.einsum("ts,sd->td", ds, k), np.einsum("ts,td->sd", ds, q), np.einsum("ts,te->se", p, g))

# %% wrong: not_scaled_back
# wrong: the divisor is left out on the way back
# says: the backward pass has no divisor
# likely: the backward pass has no divisor
# next: include 1/√d, the derivative of the score by the dot product
-    at_scores = at_scores / root

# %% wrong: scaled_back_by_d
# wrong: divides by the root twice on the way back (catalogue 10)
# says: divides the gradient at the scores once too often
# likely: the backward pass divides the gradient at the scores once too often
# next: divide by √d once forward and once backward
-    at_scores = at_scores / root
+    at_scores = at_scores / root / root

# %% wrong: unscaled
# wrong: no scaling at all (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide them by the root of the length that queries and keys share
-    root = np.sqrt(q.shape[-1])
+    root = 1.0

# %% wrong: root_of_values
# wrong: the root of d_v (catalogue 12)
# says: of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the number of a query's components in the root; which axis of which array holds them?
-    root = np.sqrt(q.shape[-1])
+    root = np.sqrt(v.shape[-1])

# %% wrong: without_jacobian
# wrong: the softmax is left out on the way back
# says: the gradient skips the softmax
# likely: the gradient skips the softmax: it goes from the weights straight to the scores
# next: multiply each row by the Jacobian of its weights first
-    at_scores = weights * (at_weights - shared)
+    at_scores = at_weights

# %% wrong: diagonal_only
# wrong: each weight is differentiated by its own score alone
# says: only the diagonal
# likely: only the diagonal of the Jacobian is used
# next: multiply by the whole Jacobian: every weight depends on every score of its row
-    at_scores = weights * (at_weights - shared)
+    at_scores = weights * (1 - weights) * at_weights

# %% wrong: without_the_subtraction
# wrong: p times the error, without what the others lose
# says: when one weight grows, the others shrink
# likely: when one weight grows, the others shrink: that part of the Jacobian is missing
# next: use diag(p) *minus* p pᵀ, the Jacobian
-    at_scores = weights * (at_weights - shared)
+    at_scores = weights * at_weights

# %% wrong: softmax_over_queries
# wrong: the softmax adds up over the queries (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries
# next: take one softmax per query: let it run over the keys
-    weights = softmax(q @ k.T / root)
+    weights = softmax(q @ k.T / root, axis=0)

# %% wrong: shared_over_queries
# wrong: the error is averaged over the queries
# says: the sum runs over the queries
# likely: the sum runs over the queries, but each query has its own softmax
# next: sum over the keys, the last axis
-    shared = (weights * at_weights).sum(axis=-1, keepdims=True)
+    shared = (weights * at_weights).sum(axis=0, keepdims=True)

# %% wrong: ignores_g
# wrong: the gradient at the outputs is not used
# says: as if every component of g were 1
# likely: the result is as if every component of g were 1
# next: take g times the transposed values as the gradient at the weights
-    root = np.sqrt(q.shape[-1])
+    g = np.ones_like(g)
+    root = np.sqrt(q.shape[-1])

# %% wrong: negative
# wrong: the sign is turned around
# says: every entry has the opposite sign
-    at_weights = g @ v.T
+    g = -g
+    at_weights = g @ v.T

# %% wrong: values_learn_nothing
# wrong: the values get no gradient (misconception)
# says: the values need a gradient, too
# likely: the values need a gradient, too
# next: give each value the weighted gradients: an output is a weighted sum of values
-    at_v = weights.T @ g
+    at_v = np.zeros_like(v, dtype=float)

# %% wrong: values_through_the_softmax
# wrong: the way back to the values leads through the softmax
# says: the gradient at the scores stands where the weights belong
# likely: in the gradient at the values, the gradient at the scores stands where the weights belong: under another name, or because the weights were changed in place (`*=`)
# next: take (weights transposed) times g at the values; `at_scores = weights` makes no copy
-    at_v = weights.T @ g
+    at_v = at_scores.T @ g

# %% wrong: order_mixed_up
# wrong: returns v, k, q
# says: shape
-    return at_q, at_k, at_v
+    return at_v, at_k, at_q

# %% wrong: queries_alone
# wrong: returns one of three
# says: returns
-    return at_q, at_k, at_v
+    return at_q

# %% wrong: weights_not_transposed
# wrong: weights times g without the transpose: fits while T = S (catalogue 20)
# says: your code raised
-    at_v = weights.T @ g
+    at_v = weights @ g

# %% wrong: changes_g
# wrong: the gradient at the outputs is overwritten (catalogue 41)
# says: in-place operation
-    return at_q, at_k, at_v
+    g *= 0
+    return at_q, at_k, at_v

# %% wrong: reads_the_notebook
# wrong: queries and keys of the notebook instead of the arguments (catalogue 42)
# says: your code raised
-    weights = softmax(q @ k.T / root)
+    weights = softmax(queries @ keys.T / root)

# %% wrong: prints_instead
# wrong: prints its result (catalogue 43)
# says: there is no `return`: the function prints its result
-    return at_q, at_k, at_v
+    print(at_q, at_k, at_v)

# %% wrong: naive_where_saturated
# wrong: its own softmax overflows (catalogue 7)
# says: the first of them comes from `exp`, in line 3
# earns: 4
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    e = np.exp(q @ k.T / root)
    p = e / e.sum(axis=-1, keepdims=True)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    return ds @ k, ds.T @ q, p.T @ g

# %% wrong: divides_by_the_weights
# wrong: divides by weights that may be 0
# says: the first of them comes from `/`, in line 7
# earns: 4
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    dp = g @ v.T
    ds = np.zeros(p.shape)
    for i in range(len(p)):
        ds[i] = (np.outer(p[i], p[i]) * (np.diag(1 / p[i]) - 1)) @ dp[i] / root
    return ds @ k, ds.T @ q, p.T @ g

# %% wrong: gives_up_where_saturated
# wrong: no gradient for queries whose largest weight is above 0.99
# says: T = S and d = d_v
# earns: 4
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    at_scores = np.zeros(p.shape)
    for i, row in enumerate(p):
        if row.max() < 0.99:
            at_scores[i] = softmax_jacobian(row) @ (v @ g[i]) / root
    return at_scores @ k, at_scores.T @ q, p.T @ g

# %% wrong: small_weights_cut_off
# wrong: weights below 0.0001 become 0 (catalogue 50)
# says: small weights become 0
# likely: small weights become 0, such as those below 0.0001
# next: keep every weight, however small
# earns: 4
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    p = np.where(p < 1e-4, 0, p)
    at_scores = np.array([softmax_jacobian(row) @ (v @ g[i]) for i, row in enumerate(p)]) / root
    return at_scores @ k, at_scores.T @ q, p.T @ g

# %% wrong: typed_like_the_inputs
# wrong: the gradients are of the type of the inputs
# says: your array holds int64
# earns: 4
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    at_q, at_k, at_v = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    at_q[:], at_k[:], at_v[:] = ds @ k, ds.T @ q, p.T @ g
    return at_q, at_k, at_v

# %% wrong: values_of_the_type_of_queries
# wrong: the values become whole numbers where the queries are
# says: with the same numbers as decimals, the result is right
# earns: 4
def attention_gradients(q, k, v, g):
    v = v.astype(q.dtype)
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    return ds @ k, ds.T @ q, p.T @ g

# %% wrong: small_steps
# wrong: small steps, cut off in whole numbers
# says: whole numbers
# earns: 3
def attention_gradients(q, k, v, g):
    def loss(q, k, v):
        return (softmax(q @ k.T / q.shape[-1] ** 0.5) @ v * g).sum()

    results, step = [], 1e-5
    for n in range(3):
        grad = np.zeros((q, k, v)[n].shape)
        for place in np.ndindex(grad.shape):
            high, low = [x.copy() for x in (q, k, v)], [x.copy() for x in (q, k, v)]
            high[n][place] += step
            low[n][place] -= step
            grad[place] = (loss(*high) - loss(*low)) / (2 * step)
        results.append(grad)
    return tuple(results)

# %% wrong: squeezed_for_one_query
# wrong: drops the axis of a single query (catalogue 46)
# says: removes every axis of length 1
# earns: 1
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    at_scores = np.array([softmax_jacobian(row) @ (v @ g[i]) for i, row in enumerate(p)]) / root
    return np.squeeze(at_scores @ k), at_scores.T @ q, p.T @ g

# %% wrong: sixteen_queries
# wrong: the keys hear of sixteen queries at most (catalogue 42)
# says: part `keys`: for floats, shape (30, 8)
# earns: 3
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    return ds @ k, ds[:16].T @ q[:16], p.T @ g

# %% wrong: clipped_gradients
# wrong: cuts gradients at 50
# says: for large gradients at the outputs
# earns: 1
def attention_gradients(q, k, v, g):
    root = np.sqrt(q.shape[-1])
    p = softmax(q @ k.T / root)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / root
    return tuple(np.clip(x, -50, 50) for x in (ds @ k, ds.T @ q, p.T @ g))

# %% right: step_by_step
def attention_gradients(q, k, v, g):
    d = q.shape[1]
    scores = q @ k.T / np.sqrt(d)
    weights = softmax(scores)
    at_weights = g @ v.T
    shared = (weights * at_weights).sum(axis=1, keepdims=True)
    at_scores = weights * (at_weights - shared)
    at_q = at_scores @ k / np.sqrt(d)
    at_k = at_scores.T @ q / np.sqrt(d)
    at_v = weights.T @ g
    return at_q, at_k, at_v

# %% right: by_loops
def attention_gradients(q, k, v, g):
    T, d = q.shape
    scores = q @ k.T / np.sqrt(d)
    weights = softmax(scores)
    at_weights = g @ v.T
    at_q = np.zeros(q.shape)
    at_k = np.zeros(k.shape)
    at_v = np.zeros(v.shape)
    for i in range(T):
        at_scores = softmax_jacobian(weights[i]) @ at_weights[i] / np.sqrt(d)
        at_q[i] = at_scores @ k
        at_k += np.outer(at_scores, q[i])
        at_v += np.outer(weights[i], g[i])
    return at_q, at_k, at_v

# %% wrong: plain_mean
# wrong: subtracts the plain mean of the errors, not the weighted one
# says: the plain mean of the gradient at the weights is subtracted
# likely: the plain mean of the gradient at the weights is subtracted instead of its weighted sum
# next: from each entry, subtract Σ p · (gradient at the weights) of its row
-    shared = (weights * at_weights).sum(axis=-1, keepdims=True)
+    shared = at_weights.mean(axis=-1, keepdims=True)

# %% wrong: values_overwritten_in_place
# wrong: the weights are turned into the gradient at the scores, in place, before the values need them
# says: the gradient at the scores stands where the weights belong
-    at_scores = weights * (at_weights - shared)
-    at_scores = at_scores / root
+    at_scores = weights
+    at_scores *= (at_weights - shared) / root

# %% wrong: softmax_of_what_comes_back
# wrong: a softmax of the error in the place of the Jacobian
# says: the gradient at the weights goes through a softmax
# likely: in the backward pass, the gradient at the weights goes through a softmax, not through its derivative, the Jacobian
# next: multiply each row by the Jacobian of its weights
-    at_scores = weights * (at_weights - shared)
+    at_scores = softmax(at_weights)

# %% wrong: sigmoid_of_the_scores
# wrong: p (1 - p) of the *scores* or without the error: no error in it
# says: does not depend on g
# likely: the gradient at queries and keys does not depend on g: it uses p (1 − p) alone
# next: multiply the derivative by the incoming gradient (g times values transposed)
-    at_scores = weights * (at_weights - shared)
+    at_scores = weights * (1 - weights)

# %% wrong: half_as_the_root
# wrong: half of d in the place of its root (catalogue 10)
# says: both passes divide by half of d
# likely: both passes divide by half of d, not by the root of d
# next: `d ** 1 / 2` is half of d; write `d ** 0.5`
-    root = np.sqrt(q.shape[-1])
+    root = q.shape[-1] / 2

# %% wrong: by_d
# wrong: divides by d (catalogue 10)
# says: both passes divide by d itself
# likely: both passes divide by d itself, not by its root
# next: divide by the square root of d
-    root = np.sqrt(q.shape[-1])
+    root = q.shape[-1]

# %% wrong: root_of_the_keys
# wrong: the root of the number of keys (catalogue 12)
# says: of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the number of a query's components in the root; which axis of which array holds them?
-    root = np.sqrt(q.shape[-1])
+    root = np.sqrt(len(k))

# %% wrong: divided_by_the_keys
# wrong: the gradient at the scores is divided by the number of keys, which is the root of d in the example by hand
# says: divided by the number of keys
# earns: 2
# likely: the gradient at the scores is divided by the number of keys, not by the root of d
# next: divide by what the scores were divided by in the forward pass: the root of a query's number of components
-    at_scores = at_scores / root
+    at_scores = at_scores / len(k)

# %% wrong: root_of_the_queries
# wrong: the root of the number of queries (catalogue 12)
# says: of the wrong length
# likely: the scores are divided by the root of the wrong length: the dot product sums over a different one
# next: put the number of a query's components in the root; which axis of which array holds them?
-    root = np.sqrt(q.shape[-1])
+    root = np.sqrt(len(q))

# %% wrong: queries_for_keys
# wrong: queries and keys of the results are exchanged in the last step
# says: your code raised
-    at_q = at_scores @ k
-    at_k = at_scores.T @ q
+    at_q = at_scores @ q
+    at_k = at_scores.T @ k

# %% right: in_float32
def attention_gradients(q, k, v, g):
    q, k, v, g = (array.astype(np.float32) for array in (q, k, v, g))
    root = np.float32(np.sqrt(q.shape[1]))
    scores = q @ k.T / root
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=1, keepdims=True)) / root
    return tuple(array.astype(float) for array in (ds @ k, ds.T @ q, p.T @ g))
