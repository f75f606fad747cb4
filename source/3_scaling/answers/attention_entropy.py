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
# says: small weights are left out
# likely: small weights are left out, such as those below a thousandth
# next: leave out only weights of exactly 0, which have no logarithm
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
# says: your code has the number 3, in `range(3)`, line 3 of the
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
# says: your function returns a list
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
# next: replace the zeros by 1 before the logarithm: ln 1 is 0
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return -(weights * np.log(weights)).sum(axis=-1)

# %% wrong: one_number
# wrong: one number for the whole matrix (catalogue 2)
# says: it takes all entries at once
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
# next: check signs: logarithms of weights are negative, the entropy is not
-    return -(weights * np.log(safe)).sum(axis=1)
+    return (weights * np.log(safe)).sum(axis=-1)

# %% wrong: squeezed
# wrong: returns a number for a single token (catalogue 46)
# says: removes every axis of length 1
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
# says: 0.01 is added to the weights before the logarithm
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
# says: a row with a weight of 0 gets the entropy 0
# likely: a row with a weight of 0 gets the entropy 0 as a whole
# next: fix each term before the sum: 0 · ln 0 counts as 0
def attention_entropy(weights):
    with np.errstate(all="ignore"):
        return np.nan_to_num(-np.sum(weights * np.log(weights), axis=-1))

# %% wrong: at_most_a_hundred_queries
# wrong: goes over a hundred queries at most (catalogue 42)
# says: for many weights, shape (130, 130)
def attention_entropy(weights):
    out = np.zeros(len(weights))
    for i in range(min(len(weights), 100)):
        r = weights[i][weights[i] > 0]
        out[i] = -(r * np.log(r)).sum()
    return out

# %% wrong: capped_at_four
# wrong: cuts entropies at 4
# says: for many weights, shape (130, 130)
def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return np.clip(-(weights * np.log(safe)).sum(axis=-1), 0, 4)

# %% right: step_by_step
def attention_entropy(weights):
    logarithms = np.log(np.where(weights > 0, weights, 1))
    products = weights * logarithms
    return -products.sum(axis=1)

# %% right: by_loops
def attention_entropy(weights):
    T = len(weights)
    result = np.zeros(T)
    for i in range(T):
        for j in range(T):
            if weights[i, j] > 0:
                result[i] -= weights[i, j] * np.log(weights[i, j])
    return result

# %% wrong: share_of_the_largest_entropy
# wrong: divides by ln T, so that 1 is the most
# says: divided by ln T
# likely: the entropy is divided by ln T, the largest that T tokens can have
# next: return the entropy itself, in nats: it goes from 0 to ln T
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights * np.log(safe)).sum(axis=1) / np.log(max(len(weights), 2))

# %% wrong: logarithms_of_other_rows
# wrong: each row's weights with the sums of other rows' logarithms, or with its own: no pairs (catalogue 20)
# says: the logarithms are summed before the weights multiply them
# likely: the logarithms are summed before the weights multiply them
# next: multiply each weight by its own logarithm, and add these products: put the parentheses around the product
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -weights * np.log(safe).sum(axis=1, keepdims=True)

# %% wrong: one_minus_the_squares
# wrong: another measure of how spread out weights are
# says: 1 minus the sum of the squared weights
# likely: this is 1 minus the sum of the squared weights, another measure of how spread out they are
# next: take minus the sum of w ln w, as on the card
-    return -(weights * np.log(safe)).sum(axis=1)
+    return 1 - (weights ** 2).sum(axis=1)

# %% wrong: yes_and_no
# wrong: adds the entropy of what is left, as for a yes and a no
# says: the term (1 − w) ln (1 − w)
# likely: the term (1 − w) ln (1 − w) is added for every weight, as for a yes and a no
# next: use one term per key, as on the card: w ln w
-    return -(weights * np.log(safe)).sum(axis=1)
+    rest = 1 - weights
+    return -(weights * np.log(safe)).sum(axis=1) - (rest * np.log(np.where(rest > 0, rest, 1))).sum(axis=1)

# %% wrong: of_the_largest_weight
# wrong: the logarithm of the largest weight alone
# says: minus the logarithm of the largest weight
# likely: this is minus the logarithm of the largest weight of each row
# next: use all weights, each with its own logarithm
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -np.log(weights.max(axis=1))

# %% wrong: table_of_all_pairs
# wrong: a matrix product: every query's weights with every other one's logarithms (catalogue 20)
# says: the expected numbers are the diagonal of the result
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -(weights @ np.log(safe).T)

# %% wrong: stops_at_a_zero
# wrong: leaves the row at its first zero
# says: a loop ends at the first entry that should be skipped
def attention_entropy(weights):
    entropies = []
    for row in weights:
        total = 0.0
        for w in row:
            if w == 0:
                break
            total -= w * np.log(w)
        entropies.append(total)
    return np.array(entropies, dtype=float)

# %% wrong: distance_from_equal_weights
# wrong: ln T minus the entropy
# says: ln T minus the entropy
# likely: this is ln T minus the entropy: how far the weights are from equal ones
# next: take minus the sum of w ln w, without T, as on the card
-    return -(weights * np.log(safe)).sum(axis=1)
+    return np.log(len(weights)) + (weights * np.log(safe)).sum(axis=1)

# %% wrong: logarithm_of_the_squares
# wrong: minus the logarithm of the sum of squares, another entropy
# says: of the sum of the squared weights
# likely: this is minus the logarithm of the sum of the squared weights
# next: take the logarithm of each weight, before the sum: minus the sum of w ln w
-    return -(weights * np.log(safe)).sum(axis=1)
+    return -np.log((weights * weights).sum(axis=1))

# %% right: in_float32
def attention_entropy(weights):
    weights = torch.as_tensor(weights).float()
    return torch.special.entr(weights).sum(dim=-1).double().numpy()

# %% wrong: equal_weights_once
# wrong: equal weights are counted once, as in a set
# says: equal weights of a row are counted once
# likely: equal weights of a row are counted once: a set holds a number once, and so does `np.unique`
# next: sum over all weights of the row
def attention_entropy(weights):
    rows = [np.unique(row[row > 0]) for row in weights]
    return np.array([-(row * np.log(row)).sum() for row in rows])
