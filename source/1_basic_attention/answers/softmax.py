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

# %% right: one_over_sums_of_differences
def softmax(scores, axis=-1):
    last = np.moveaxis(np.asarray(scores, dtype=float), axis, -1)
    with np.errstate(over="ignore"):
        sums = np.exp(last[..., None, :] - last[..., :, None]).sum(axis=-1)
    return np.moveaxis(1 / sums, -1, axis)

# %% right: object_with_call
class Softmax:
    def __call__(self, scores, axis=-1):
        shifted = np.subtract(scores, np.amax(scores, axis=axis, keepdims=True), dtype=float)
        np.exp(shifted, out=shifted)
        shifted /= np.add.reduce(shifted, axis=axis, keepdims=True)
        return shifted


softmax = Softmax()

# %% right: by_logaddexp
def softmax(scores, axis=-1):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True))

# %% wrong: axis_one_for_last
# wrong: takes axis 1 when asked for the last one: right only for matrices
# says: the array has no axis 1
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
# likely: the powers are powers of two
# next: use `np.exp`, which takes powers of e
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
# says: the maximum along the other axis is subtracted
# likely: the maximum along the other axis is subtracted: it differs within a row, so it does not cancel
# next: subtract one number per row: `scores.max(axis=axis, keepdims=True)`
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
# likely: the sum runs over all entries instead of along one axis
# next: give the sum its axis, and `keepdims=True` so that the division lines up
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max())
    return e / e.sum()

# %% wrong: over_queries
# wrong: the sum always runs down the columns (catalogue 1)
# says: rows of your weights sum to
# likely: the sum runs down the columns, whatever `axis` says
# next: use `axis` in both the maximum and the sum
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
# says: your function returns a list
-    return e / e.sum(axis=axis, keepdims=True)
+    return (e / e.sum(axis=axis, keepdims=True)).tolist()

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers are rounded to 3 decimals
-    return e / e.sum(axis=axis, keepdims=True)
+    return np.round(e / e.sum(axis=axis, keepdims=True), 3)

# %% wrong: squeezed
# wrong: squeeze() drops an axis of length 1 (catalogue 46)
# says: removes every axis of length 1
-    return e / e.sum(axis=axis, keepdims=True)
+    return (e / e.sum(axis=axis, keepdims=True)).squeeze()

# %% wrong: without_exponential
# wrong: divides by the sum, no exponential (catalogue 4)
# says: the scores are divided by their sum, without the exponential
# likely: the scores are divided by their sum, without the exponential
# next: take `np.exp` of the scores first
def softmax(scores, axis=-1):
    return scores / scores.sum(axis=axis, keepdims=True)

# %% wrong: without_keepdims
# wrong: no keepdims: silently divides by another row's sum on square scores (catalogue 6)
# says: the division uses the sum of another row: shape (3,) lines up with
# likely: the division uses the sum of another row: shape (3,) lines up with the columns
# next: keep the axis that you sum over: `keepdims=True`
-    return e / e.sum(axis=axis, keepdims=True)
+    return e / e.sum(axis=axis)

# %% wrong: without_maximum
# wrong: no maximum is subtracted: nan for large scores (catalogue 7)
# says: scores of ±10 000
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(scores)

# %% wrong: without_sum
# wrong: exponentials that are never normalised (catalogue 5)
# says: the exponentials are not divided by their sum
# likely: the exponentials are not divided by their sum
# next: divide by `e.sum(axis=axis, keepdims=True)`
def softmax(scores, axis=-1):
    return np.exp(scores - scores.max(axis=axis, keepdims=True))

# %% wrong: default_is_axis_one
# wrong: axis 1 by default, which is the last one only in a matrix
# says: the array has no axis 1
def softmax(scores, axis=1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% right: last_one_gets_the_rest
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = np.moveaxis(e / e.sum(axis=axis, keepdims=True), axis, -1)
    weights[..., -1] = 1 - weights[..., :-1].sum(axis=-1)
    return np.moveaxis(weights, -1, axis)

# %% wrong: takes_away_and_gives_back
# wrong: shifts the caller's array and shifts it back, which rounds (catalogue 41)
# says: an in-place operation on the argument
def softmax(scores, axis=-1):
    highest = scores.max(axis=axis, keepdims=True)
    scores -= highest
    e = np.exp(scores)
    scores += highest
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: any_array_as_matrix
# wrong: flattens an array of three axes, so rows share one sum
# says: without the lines under `if axis in
def softmax(scores, axis=-1):
    if axis in (-1, scores.ndim - 1) and scores.ndim > 1:
        rows = scores.reshape(len(scores), -1)
        e = np.exp(rows - rows.max(axis=1, keepdims=True))
        return (e / e.sum(axis=1, keepdims=True)).reshape(scores.shape)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: shift_by_the_mean
# wrong: subtracts the mean: the largest score may still overflow (catalogue 8)
# says: the first of them comes from `exp`, in line 3: `e =
def softmax(scores, axis=-1):
    centred = scores - np.mean(scores, axis=axis, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: midrange_shift
# wrong: subtracts the middle of largest and smallest score, which may still overflow (catalogue 8)
# says: in place of `scores.min(axis=axis, keepdims=True)`
def softmax(scores, axis=-1):
    mid = (scores.max(axis=axis, keepdims=True) + scores.min(axis=axis, keepdims=True)) / 2
    e = np.exp(scores - mid)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: shift_by_largest_size
# wrong: subtracts the largest size: 0/0 in rows below zero (catalogue 8)
# says: 0 / 0 in line 4: each exponential in that sum is 0
def softmax(scores, axis=-1):
    highest = np.abs(scores).max(axis=axis, keepdims=True)
    e = np.exp(scores - highest)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: topped_at_fifty
# wrong: looks for the largest among the first fifty scores only
# says: in place of `min(50, scores.shape[axis])`
def softmax(scores, axis=-1):
    top = np.take(scores, range(min(50, scores.shape[axis])), axis=axis).max(axis=axis, keepdims=True)
    e = np.exp(scores - top)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: negative_axis_from_four
# wrong: takes every negative axis for one of three
# says: for axis=-2, shape (5, 3)
def softmax(scores, axis=-1):
    if axis < -1:
        axis = axis + 3
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% right: tiny_weights_to_zero
def softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    e[e < 1e-8] = 0
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: axis_remembered
# wrong: keeps the axis of the first call for each shape
# says: with axis=0
def softmax(scores, axis=-1):
    if not hasattr(softmax, "axes"):
        softmax.axes = {}
    axis = softmax.axes.setdefault(scores.shape, axis)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% right: step_by_step
def softmax(scores, axis=-1):
    largest = scores.max(axis=axis, keepdims=True)
    shifted = scores - largest
    powers = np.exp(shifted)
    totals = powers.sum(axis=axis, keepdims=True)
    weights = powers / totals
    return weights

# %% wrong: sum_down_the_columns
# wrong: Python's own sum adds the rows of a matrix, whatever `axis` says (catalogue 1)
# says: the sum runs down the columns
# likely: the largest scores are right, but the sum runs down the columns, as with Python's own `sum(...)` or `axis=0`
# next: give the sum its axis: `e.sum(axis=axis, keepdims=True)`
-    return e / e.sum(axis=axis, keepdims=True)
+    return e / sum(e)

# %% wrong: largest_after_exp
# wrong: subtracts the largest exponential, after `exp` (catalogue 8)
# says: the largest number is subtracted after `exp`
# likely: the largest number is subtracted after `exp`, from the powers, not before it, from the scores
# next: subtract the largest score first, then take `np.exp` of the difference
def softmax(scores, axis=-1):
    e = np.exp(scores)
    e = e - e.max(axis=axis, keepdims=True)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: largest_score_after_exp
# wrong: subtracts the largest score, after `exp` (catalogue 8)
# says: the largest score is subtracted after `exp`
# likely: the largest score is subtracted after `exp`, from the powers, not before it
# next: subtract the largest score first, then take `np.exp` of the difference
def softmax(scores, axis=-1):
    e = np.exp(scores) - scores.max(axis=axis, keepdims=True)
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: all_the_same
# wrong: subtracts each score from itself: np.maximum compares entry by entry
# says: `maximum` takes two arrays and no axis
# likely: all weights of a row are equal, so the scores have no effect: is each one subtracted from itself? `np.maximum` gives no maximum along an axis
# next: print what goes into `exp`; the maximum along an axis is `np.max(scores, axis=axis, keepdims=True)`
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp(scores - np.maximum(scores, -1))

# %% wrong: numerator_not_shifted
# wrong: subtracts the largest score below the line, and not above it (catalogue 8)
# says: the largest score is subtracted in the sum, but not in the numerator
# likely: the largest score is subtracted in the sum, but not in the numerator
# next: compute the shifted scores once, on a line of their own, and use them in both places
def softmax(scores, axis=-1):
    highest = scores.max(axis=axis, keepdims=True)
    return np.exp(scores) / np.exp(scores - highest).sum(axis=axis, keepdims=True)

# %% wrong: denominator_not_shifted
# wrong: subtracts the largest score above the line, and not below it (catalogue 8)
# says: the largest score is subtracted in the numerator, but not in the sum
# likely: the largest score is subtracted in the numerator, but not in the sum below it
# next: compute the shifted scores once, on a line of their own, and use them in both places
def softmax(scores, axis=-1):
    highest = scores.max(axis=axis, keepdims=True)
    return np.exp(scores - highest) / np.exp(scores).sum(axis=axis, keepdims=True)

# %% wrong: divided_inside_exp
# wrong: a parenthesis closes too late: the division stands inside of `exp`
# says: the division is inside `exp`
# likely: the division is inside `exp`: scores are divided by the sum of the powers before their powers are taken
# next: close the parenthesis of `exp` before the division
def softmax(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return np.exp(shifted / np.exp(shifted).sum(axis=axis, keepdims=True))

# %% wrong: shares_inside_exp
# wrong: divides the scores by their sum, then takes powers
# says: divided by their sum before the powers are taken
# likely: the shifted scores are divided by their sum before the powers are taken
# next: take the powers first, then divide them by their sum
def softmax(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return np.exp(shifted / shifted.sum(axis=axis, keepdims=True))

# %% wrong: logarithms
# wrong: the logarithms of the weights: the last exponential is missing
# says: these are the logarithms of the weights
# likely: these are the logarithms of the weights
# next: take `np.exp` of what you return
def softmax(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))

# %% wrong: falls_back_for_zero
# wrong: takes axis 0 for no axis
# says: somewhere 0 counts as no axis
 def softmax(scores, axis=-1):
+    axis = axis or -1

# %% wrong: axis_left_at_the_end
# wrong: moves the axis to the end and forgets to move it back
# says: the axis was moved to the end and not moved back
def softmax(scores, axis=-1):
    last = np.moveaxis(scores, axis, -1)
    e = np.exp(last - last.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

# %% wrong: new_axis_at_the_end
# wrong: puts the lost axis back at the end, whichever it was (catalogue 6)
# says: with axis=1 your lines work
def softmax(scores, axis=-1):
    return np.exp(scores - np.logaddexp.reduce(scores, axis=axis)[..., None])

# %% wrong: e_in_digits
# wrong: writes e with four digits
# says: `2.718` is not exactly e
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = 2.718 ** (scores - scores.max(axis=axis, keepdims=True))

# %% wrong: halved_scores
# wrong: a factor before the powers
# says: a softmax of the scores times a factor: 0.5
-    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
+    e = np.exp((scores - scores.max(axis=axis, keepdims=True)) / 2)

# %% wrong: sigmoid
# wrong: each score for itself: no sum
# says: these are sigmoids
# likely: these are sigmoids, `1 / (1 + exp(-score))`: each score is used alone, without the others
# next: divide each power by the sum of all powers of its row
def softmax(scores, axis=-1):
    return 1 / (1 + np.exp(-np.asarray(scores, dtype=float)))

# %% wrong: weights_already
# wrong: scores that are weights already are returned as they are
# says: for scores, one-hot, shape (4, 4)
def softmax(scores, axis=-1):
    if (scores >= 0).all() and np.allclose(scores.sum(axis=axis), 1):
        return np.array(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
