# Right and wrong answers to `softmax`; authoring/README.md says how they are written.

# %% right: keepdims
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% right: along_axis_helper
def one_row(row):
    powers = np.exp(row - max(row))
    return powers / sum(powers)


def softmax(scores, axis=-1):
    return np.apply_along_axis(one_row, axis, np.array(scores, dtype=np.float64))

# %% right: copy_then_in_place
def softmax(scores, axis=-1):
    w = scores.astype(float)   # a copy
    w -= w.max(axis, keepdims=True)
    np.exp(w, out=w)
    w /= w.sum(axis, keepdims=True)
    return w

# %% right: expand_dims
def softmax(scores, axis=-1):
    scores = scores.astype("float64")
    shifted = scores - np.expand_dims(np.amax(scores, axis), axis)
    numerator = np.exp(shifted)
    return np.divide(numerator, np.expand_dims(np.add.reduce(numerator, axis), axis))

# %% right: log_sum_exp
def softmax(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    log_total = top + np.log(np.sum(np.exp(scores - top), axis=axis, keepdims=True))
    return np.exp(scores - log_total)

# %% right: moveaxis_and_loops
import math


def softmax(scores, axis=-1):
    a = np.moveaxis(np.asarray(scores), axis, -1)
    result = np.empty(a.shape)
    for place in np.ndindex(*a.shape[:-1]):
        biggest = max(a[place])
        powers = [math.exp(value - biggest) for value in a[place]]
        result[place] = [power / math.fsum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)

# %% right: prints_and_warns
import warnings


def softmax(werte, axis=-1):
    """Gewichte aus Punkten."""
    print("softmax", werte.shape)
    warnings.warn("Nur zur Probe")
    größte = werte.max(axis=axis, keepdims=True)
    potenzen = np.exp(werte - größte)
    return potenzen / potenzen.sum(axis=axis, keepdims=True)

# %% right: torch
def softmax(scores, axis=-1):
    return torch.softmax(torch.as_tensor(np.asarray(scores, dtype=float)), dim=axis).numpy()

# %% wrong: axis_one_for_last
# wrong: takes axis 1 when asked for the last one: right only for matrices
# says: only the hidden tests see it
def softmax(scores, axis=-1):
    if axis == -1:
        axis = 1
    if scores.ndim == 3 and axis == 2:
        axis = 1
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: base_two
# wrong: powers of two
# says: the powers are powers of two
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = 2.0 ** (scores - scores.max(axis=axis, keepdims=True))

# %% wrong: changes_input
# wrong: subtracts in place, so the caller's array changes (catalogue 41)
# says: an in-place operation on the argument
def softmax(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: clipped
# wrong: clips the scores instead of shifting them: finite and wrong
# says: scores of ±10 000
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(np.clip(scores, -500, 500))

# %% wrong: ignores_axis
# wrong: the last axis, whatever `axis` says
# says: with axis=0
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# %% wrong: integer_result
# wrong: stores weights in an array of the input's type: integers cut them to 0 (catalogue 43)
# says: integer
def softmax(scores, axis=-1):
    result = np.zeros_like(scores)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    result[...] = e / e.sum(axis=axis, keepdims=True)
    return result

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores: 0/0 in a low row (catalogue 8)
# says: entries are nan or inf
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(scores - scores.max())

# %% wrong: maximum_of_the_other_axis
# wrong: subtracts the maximum of the other axis, which does not cancel (catalogue 8)
# says: a maximum of the other axis is subtracted
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(scores - scores.max(axis=0, keepdims=True))

# %% wrong: not_written
# wrong: the stub is still there
# says: you have not started yet
def softmax(scores, axis=-1):
    raise NotImplementedError("not written yet")

# %% wrong: over_all_entries
# wrong: one sum over all entries (catalogue 2)
# says: the whole matrix sums to 1.00
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max())
    return e / e.sum()

# %% wrong: over_queries
# wrong: the sum always runs down the columns (catalogue 1)
# says: rows of your weights sum to
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

# %% wrong: prints_instead
# wrong: prints the result and returns nothing (catalogue 43)
# says: your function returns None
-    return e / e.sum(axis=axis, keepdims=True)
+    print(e / e.sum(axis=axis, keepdims=True))

# %% wrong: returns_list
# wrong: returns nested lists (catalogue 43)
# says: your function returns list
-    return e / e.sum(axis=axis, keepdims=True)
+    return (e / e.sum(axis=axis, keepdims=True)).tolist()

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
-    return e / e.sum(axis=axis, keepdims=True)
+    return np.round(e / e.sum(axis=axis, keepdims=True), 3)

# %% wrong: squeezed
# wrong: squeeze() drops an axis of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
-    return e / e.sum(axis=axis, keepdims=True)
+    return (e / e.sum(axis=axis, keepdims=True)).squeeze()

# %% wrong: without_exponential
# wrong: divides by the sum, no exponential (catalogue 4)
# says: the scores are divided by their sum, without the exponential
def softmax(scores, axis=-1):
    return scores / scores.sum(axis=axis, keepdims=True)

# %% wrong: without_keepdims
# wrong: no keepdims: silently divides by another row's sum on square scores (catalogue 6)
# says: not divided by their own row's sum
-    return e / e.sum(axis=axis, keepdims=True)
+    return e / e.sum(axis=axis)

# %% wrong: without_maximum
# wrong: no maximum is subtracted: nan for large scores (catalogue 7)
# says: scores of ±10 000
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(scores)

# %% wrong: without_sum
# wrong: exponentials that are never normalised (catalogue 5)
# says: are not divided by their own row's sum
def softmax(scores, axis=-1):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))
