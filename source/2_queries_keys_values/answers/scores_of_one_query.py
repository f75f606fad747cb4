# Right and wrong answers to `scores_of_one_query`; authoring/README.md says how they are written.

# %% right: at
def scores_of_one_query(query, keys):
    return keys @ query

# %% right: dot_of_each
def scores_of_one_query(query, keys):
    return np.array([np.dot(query, key) for key in keys])

# %% right: einsum
def scores_of_one_query(query, keys):
    return np.einsum("d,td->t", query, keys)

# %% right: inner
def scores_of_one_query(query, keys):
    return np.inner(query, keys)

# %% right: keys_transposed
def scores_of_one_query(query, keys):
    return query @ keys.T

# %% right: products_added_up
def scores_of_one_query(query, keys):
    return (query * keys).sum(axis=1)

# %% right: row_of_all_scores
def scores_of_one_query(query, keys):
    return (query[None, :] @ keys.T)[0]

# %% right: two_loops
def scores_of_one_query(query, keys):
    scores = np.zeros(len(keys))
    for j in range(len(keys)):
        for m in range(len(query)):
            scores[j] += query[m] * keys[j, m]
    return scores

# %% right: component_by_component
def scores_of_one_query(query, keys):
    return sum(q * column for q, column in zip(query, keys.T))

# %% right: python_numbers
def scores_of_one_query(query, keys):
    q = query.tolist()
    return np.array([sum(a * b for a, b in zip(q, key)) for key in keys.tolist()])

# %% wrong: not_summed
# wrong: multiplies component by component and leaves it there (catalogue 21)
# says: the products are not added up
# likely: the components are multiplied, but the products are not added up
# next: add up along d_k: a score is one number
-    return keys @ query
+    return keys * query

# %% wrong: over_keys
# wrong: adds up over the tokens (catalogue 17)
# says: added up over the tokens
# likely: the products are added up over the tokens
# next: add up along the components: one score per key
-    return keys @ query
+    return (keys * query).sum(axis=0)

# %% wrong: softmaxed
# wrong: a softmax too early
# says: the softmax was already applied
# likely: the softmax was already applied
# next: return the plain scores
-    return keys @ query
+    return softmax_rows((keys @ query)[None])[0]

# %% wrong: scaled
# wrong: divides by the root of d_k (catalogue 9)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
-    return keys @ query
+    return keys @ query / np.sqrt(len(query))

# %% wrong: cosine
# wrong: divides by the lengths
# says: these are cosines
# likely: the scores are divided by the lengths of the vectors: these are cosines
# next: return the plain dot products
-    return keys @ query
+    return keys @ query / (np.linalg.norm(keys, axis=1) * np.linalg.norm(query))

# %% wrong: distances
# wrong: compares by distance
# says: distances are returned
# likely: distances are returned, which are small for similar vectors
# next: use dot products as scores
-    return keys @ query
+    return np.linalg.norm(keys - query, axis=1)

# %% wrong: absolute
# wrong: loses the sign of a score, which the example does not show
# says: the sign of a score is lost
# likely: the sign of a score is lost
# next: keep the negative scores
-    return keys @ query
+    return np.abs(keys @ query)

# %% wrong: first_key_only
# wrong: the first key stands for all
# says: one score is used for all keys
# likely: one score is used for all keys, or only one is returned
# next: give each key its own score
-    return keys @ query
+    return np.full(len(keys), keys[0] @ query)

# %% wrong: averaged
# wrong: takes the mean of the products
# says: the mean of the products is taken
# likely: the mean of the products is taken, not their sum
# next: use the sum, which is what `@` does
-    return keys @ query
+    return (keys * query).mean(axis=1)

# %% wrong: keys_with_keys
# wrong: the query is not used
# says: keys are compared with keys
# likely: keys are compared with keys
# next: multiply each key by the query
-    return keys @ query
+    return (keys * keys).sum(axis=1)

# %% wrong: column_of_scores
# wrong: keeps an axis of length 1
# says: an extra axis of length 1
# likely: the scores are right, but have an extra axis of length 1
# next: return one axis: shape (T,)
-    return keys @ query
+    return keys @ query[:, None]

# %% wrong: query_first
# wrong: the query stands on the left, without a transpose: it runs while T equals d_k (catalogue 17)
# says: the query is on the left, without a transpose
# likely: the query is on the left, without a transpose, which runs only if T equals d_k
# next: compare that step with *Pseudocode* in the card
-    return keys @ query
+    return query @ keys

# %% wrong: from_the_notebook
# wrong: uses the keys of the notebook (catalogue 42)
# says: meets the only axis of `query` in the product
def scores_of_one_query(query, keys):
    table = np.array([[0.0, 1, 1], [4, 4, 0], [2, 3, 1]])
    return table @ query

# %% wrong: returns_list
# wrong: a list of scores
# says: your function returns a list
-    return keys @ query
+    return [float(key @ query) for key in keys]

# %% wrong: scales_the_query_in_place
# wrong: changes the query of its caller
# says: `query *= 2` in line 3 is an in-place operation on the argument `query`
-    return keys @ query
+    scores = keys @ query
+    query *= 2
+    return scores

# %% wrong: small_integers
# wrong: keeps the scores as bytes, so that large ones wrap around
# says: your array holds int8
-    return keys @ query
+    return (keys @ query).astype(np.int8)

# %% wrong: type_of_the_query
# wrong: the result gets the dtype of the query, so an integer query with float keys has its scores cut off
# says: with the same numbers as decimals, the result is right
def scores_of_one_query(query, keys):
    scores = np.zeros(len(keys), dtype=query.dtype)
    for j, key in enumerate(keys):
        scores[j] = np.sum(query * key)
    return scores

# %% wrong: leaves_out_empty_keys
# wrong: keys of only zeros are taken for padding and left out, so the result is shorter and the rest moves up
# says: with `keys @ query` in place of `real @ query`
def scores_of_one_query(query, keys):
    real = keys[keys.any(axis=1)]
    return real @ query

# %% right: in_float32
def scores_of_one_query(query, keys):
    q = torch.as_tensor(query, dtype=torch.float32)
    k = torch.as_tensor(keys, dtype=torch.float32)
    return torch.mv(k, q).numpy()

# %% wrong: types_must_agree
# wrong: torch.mv refuses an integer query with float keys (RuntimeError)
# says: the tensors have different number types, or a type that this
def scores_of_one_query(query, keys):
    return torch.mv(torch.from_numpy(keys), torch.from_numpy(query)).numpy()

# %% right: step_by_step
def scores_of_one_query(query, keys):
    scores = keys @ query
    return scores

# %% right: by_loops
def scores_of_one_query(query, keys):
    T, d_k = keys.shape
    scores = np.zeros(T)
    for j in range(T):
        for i in range(d_k):
            scores[j] += query[i] * keys[j, i]
    return scores

# %% wrong: all_keys_in_each_round
# wrong: a loop over the keys that does not use its key
# says: uses all keys, not only its own
# likely: each round of a loop uses all keys, not only its own: query @ keys, several times
# next: use the key of the round: `keys` are all, `key` is one
-    return keys @ query
+    return np.array([query @ keys for _ in keys])

# %% right: by_lists
def scores_of_one_query(query, keys):
    T, d_k = keys.shape
    scores = []
    for j in range(T):
        scores.append(query @ keys[j])
    scores = np.array(scores)
    return scores

# %% wrong: outer_product
# wrong: every component of the query with every number of the keys
# says: an outer product
# likely: each number of the query multiplies each number of the keys: an outer product
# next: multiply number m of the query only by number m of each key, and add up the products
-    return keys @ query
+    return np.outer(query, keys)

# %% wrong: first_component_only
# wrong: multiplies the first components alone
# says: only the first components
# likely: only the first components are multiplied
# next: use all components: multiply number by number, and add up
-    return keys @ query
+    return keys[:, 0] * query[0]
