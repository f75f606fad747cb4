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

# %% wrong: bits
# wrong: logarithm of base 2
# says: the logarithm has base 2
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
# says: the numbers were rounded
def attention_entropy(weights):
    safe = np.where(weights > 1e-3, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1)

# %% wrong: exponential_taken
# wrong: returns the number of tokens
# says: the number of tokens looked at is returned
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.exp(-(weights * np.log(safe)).sum(axis=-1))

# %% wrong: fixed_size
# wrong: goes over three rows, whatever comes (catalogue 42)
# says: an axis that the array does not have
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
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).mean(axis=-1)

# %% wrong: nan_at_zero
# wrong: 0 times ln 0 is nan (catalogue 38)
# says: 0 times minus infinity
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return -(weights * np.log(weights)).sum(axis=-1)

# %% wrong: one_number
# wrong: one number for the whole matrix (catalogue 2)
# says: an axis was summed away
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.array(-(weights * np.log(safe)).sum())

# %% wrong: over_queries
# wrong: adds up over the queries (catalogue 1)
# says: the sum runs over the queries
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).sum(axis=0)

# %% wrong: sign
# wrong: the minus is missing
# says: the minus sign is missing
-    return -(weights * np.log(safe)).sum(axis=1)
+    return (weights * np.log(safe)).sum(axis=-1)

# %% wrong: squeezed
# wrong: returns a number for a single token (catalogue 46)
# says: an axis of length 1 was dropped
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.squeeze(np.asarray(-(weights * np.log(safe)).sum(axis=-1)))

# %% wrong: without_weights
# wrong: sums the logarithms only
# says: without their weights
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -np.log(safe).sum(axis=-1)

# %% wrong: zero_entries_shift
# wrong: adds a hundredth to avoid the zero (catalogue 50)
# says: it changes the result
def attention_entropy(weights):
    return -(weights * np.log(weights + 0.01)).sum(axis=-1)
