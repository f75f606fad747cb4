# Right and wrong answers to `attention_entropy`; authoring/README.md says how they are written.

# %% right: where
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=1)

# %% right: library_distribution
def attention_entropy(weights):
    w = torch.tensor(weights, dtype=torch.float64)
    return -(torch.xlogy(w, w)).sum(1).numpy()

# %% right: loops
import math


def attention_entropy(weights):
    entropies = []
    for row in weights:
        entropies.append(-sum(w * math.log(w) for w in row if w > 0) + 0.0)
    return np.array(entropies, dtype=float)

# %% right: masked_logarithm
def attention_entropy(weights):
    logarithms = np.zeros(weights.shape)
    np.log(weights, out=logarithms, where=weights > 0)
    return -np.einsum("ij,ij->i", weights, logarithms)

# %% right: nan_to_num
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        products = np.nan_to_num(weights * np.log(weights))
    return np.abs(-products.sum(-1))

# %% right: torch
def attention_entropy(weights):
    return torch.special.entr(torch.as_tensor(np.asarray(weights, dtype=float))).sum(dim=-1).numpy()

# %% right: warns_and_prints
def attention_entropy(gewichte):
    print("Entropie für", len(gewichte), "Fragen")
    ergebnis = np.empty(len(gewichte))
    for i, zeile in enumerate(gewichte):
        positiv = zeile[zeile > 0].astype(float)
        ergebnis[i] = -np.dot(positiv, np.log(positiv))
    return ergebnis

# %% right: log_of_a_product
def attention_entropy(weights):
    w = np.array(weights, dtype=np.float64)
    return -np.log(np.prod(w ** w, axis=-1))

# %% right: generator_with_math
def attention_entropy(weights):
    import math
    return np.fromiter((math.fsum(-w * math.log(w) for w in row if w > 0) for row in weights.tolist()), dtype=float)

# %% right: distance_from_uniform
def attention_entropy(weights):
    T = weights.shape[-1]
    ratio = weights * float(T)
    logs = np.log(ratio, out=np.zeros(weights.shape), where=weights > 0)
    return np.log(T) - np.einsum("ij,ij->i", weights, logs)

# %% right: nan_to_num_with_warnings
def attention_entropy(weights):
    return -np.sum(weights * np.nan_to_num(np.log(weights)), axis=-1)

# %% wrong: bits
# wrong: logarithm of base 2
# says: the logarithm has base 2
# likely: the logarithm has base 2, which gives bits
# next: use `np.log`, the natural logarithm
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log2(safe)).sum(axis=-1)

# %% wrong: changes_input
# wrong: replaces the zeros in place (catalogue 41)
# says: in-place operation
def attention_entropy(weights):
    result = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)
    weights[weights == 0] = 1
    return result

# %% wrong: drops_small_weights
# wrong: leaves out weights below a thousandth (catalogue 50)
# says: leaves out weights below a thousandth
# likely: leaves out weights below a thousandth
# next: compare that step with *Pseudocode* in the card
def attention_entropy(weights):
    safe = np.where(weights > 1e-3, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1)

# %% wrong: exponential_taken
# wrong: returns the number of tokens
# says: the number of tokens looked at is returned
# likely: the number of tokens looked at is returned, e to the entropy
# next: return the entropy itself
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.exp(-(weights * np.log(safe)).sum(axis=-1))

# %% wrong: fixed_size
# wrong: goes over three rows, whatever comes (catalogue 42)
# says: the number 3 stands in your code, in `range(3)`, line 3 of the
def attention_entropy(weights):
    result = np.zeros(len(weights))
    for i in range(3):
        positive = weights[i][weights[i] > 0]
        result[i] = -np.sum(positive * np.log(positive))
    return result

# %% wrong: keeps_the_axis
# wrong: returns a column (catalogue 19)
# says: shape (3, 1)
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).sum(axis=-1, keepdims=True)

# %% wrong: list_returned
# wrong: returns a list (catalogue 43)
# says: your function returns list
-    return -(weights * np.log(safe)).sum(axis=1)
+    return list(-(weights * np.log(safe)).sum(axis=-1))

# %% wrong: mean
# wrong: mean instead of sum
# says: the mean over the keys
# likely: the mean over the keys is taken instead of the sum
# next: use `sum`
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).mean(axis=-1)

# %% wrong: nan_at_zero
# wrong: 0 times ln 0 is nan (catalogue 38)
# says: 0 times minus infinity
# likely: 0 · ln 0 is 0 times minus infinity, which is nan
# next: put 1 in place of the zeros before the logarithm: ln 1 is 0
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return -(weights * np.log(weights)).sum(axis=-1)

# %% wrong: one_number
# wrong: one number for the whole matrix (catalogue 2)
# says: `sum` has no `axis`, so that it takes all entries at once
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.array(-(weights * np.log(safe)).sum())

# %% wrong: over_queries
# wrong: adds up over the queries (catalogue 1)
# says: the sum runs over the queries
# likely: the sum runs over the queries
# next: each row is one query: add up along the last axis
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).sum(axis=0)

# %% wrong: sign
# wrong: the minus is missing
# says: the minus sign is missing
# likely: the minus sign is missing
# next: logarithms of weights are negative; the entropy is not
-    return -(weights * np.log(safe)).sum(axis=1)
+    return (weights * np.log(safe)).sum(axis=-1)

# %% wrong: squeezed
# wrong: returns a number for a single token (catalogue 46)
# says: an axis of length 1 is missing: an index, `squeeze` or a sum without
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.squeeze(np.asarray(-(weights * np.log(safe)).sum(axis=-1)))

# %% wrong: without_weights
# wrong: sums the logarithms only
# says: without their weights
# likely: the logarithms are added without their weights
# next: multiply each logarithm by its weight
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -np.log(safe).sum(axis=-1)

# %% wrong: zero_entries_shift
# wrong: adds a hundredth to avoid the zero (catalogue 50)
# says: it changes the result
# likely: a number was added to the weights to avoid ln 0, and it changes the result
# next: put 1 in place of the zeros only, or leave them out of the sum
def attention_entropy(weights):
    return -(weights * np.log(weights + 0.01)).sum(axis=-1)

# %% wrong: tiny_number_lost_in_integers
# wrong: puts a tiny number into a copy of whole numbers, where it is 0 again
# says: entries are nan or inf
def attention_entropy(weights):
    safe = weights.copy()
    safe[safe == 0] = 1e-300
    return -(safe * np.log(safe)).sum(axis=-1)

# %% wrong: entropies_typed_like_the_weights
# wrong: the result is of the type of the weights
# says: your array holds int64
def attention_entropy(weights):
    entropies = np.zeros_like(weights[:, 0])
    for i, row in enumerate(weights):
        positive = row[row > 0]
        entropies[i] = -(positive * np.log(positive)).sum()
    return entropies

# %% wrong: row_with_a_zero_counts_as_sure
# wrong: nan_to_num after the sum: a row with a zero gets the entropy 0
# says: only the hidden tests see it
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return np.nan_to_num(-np.sum(weights * np.log(weights), axis=-1))

# %% wrong: at_most_a_hundred_queries
# wrong: goes over a hundred queries at most (catalogue 42)
# says: only the hidden tests see it
def attention_entropy(weights):
    out = np.zeros(len(weights))
    for i in range(min(len(weights), 100)):
        r = weights[i][weights[i] > 0]
        out[i] = -(r * np.log(r)).sum()
    return out

# %% wrong: capped_at_four
# wrong: cuts entropies at 4
# says: only the hidden tests see it
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return np.clip(-(weights * np.log(safe)).sum(axis=-1), 0, 4)

# %% right: step_by_step
def attention_entropy(weights):
    logarithms = np.log(np.where(weights > 0, weights, 1))
    products = weights * logarithms
    return -products.sum(axis=1)
