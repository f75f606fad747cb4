# Right and wrong answers to `is_permutation_invariant`; authoring/README.md says how they are written.

# %% right: loop
def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    if T <= 5:
        orders = list(itertools.permutations(range(T)))
    else:
        orders = [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        left = f(x[order])
        right = f(x)
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True

# %% right: all_of
def is_permutation_invariant(f, x, atol=1e-6):
    if (x == x[0]).all():
        raise ValueError('equal tokens')
    T = len(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    return all(np.all(np.abs(np.asarray(f(x[list(o)])) - f(x)) <= atol) for o in orders)

# %% right: from_equivariance
def is_permutation_invariant(f, x, atol=1e-6):
    # repeat the result for every token: then invariance is equivariance
    def repeated(z):
        return np.stack([np.atleast_1d(np.asarray(f(z), dtype=float)).ravel()] * len(z))
    return is_permutation_equivariant(repeated, x, atol)

# %% right: helper
def some_orders(T):
    if T <= 5:
        return [list(o) for o in itertools.permutations(range(T))]
    return [np.random.RandomState(s).permutation(T) for s in range(150)]


def is_permutation_invariant(f, x, atol=1e-6):
    if len(np.unique(x, axis=0)) < 2:
        raise ValueError('equal rows')
    for order in some_orders(len(x)):
        if not np.allclose(f(permute_tokens(x, order)), f(x), atol=atol, rtol=0):
            return False
    return True

# %% right: matrices
def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if not np.any(x - x[0]):
        raise ValueError('all tokens are equal')
    eye = np.eye(T)
    for o in (itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(100))):
        if not (np.abs(f(eye[list(o)] @ x) - f(x)) <= atol).all():
            return False
    return True

# %% right: spread
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if np.ptp(x, axis=0).max() == 0:
        raise ValueError('no evidence')
    orders = list(itertools.permutations(range(T))) if T <= 5 else [np.random.permutation(T) for _ in range(200)]
    y = np.asarray(f(x))
    results = np.stack([np.asarray(f(x[list(o)])) for o in orders])
    return bool(np.max(np.abs(results - y)) <= atol)

# %% right: torch
def is_permutation_invariant(f, x, atol=1e-6):
    T = x.shape[0]
    if bool((x == x[0]).all()):
        raise ValueError('equal')
    orders = list(itertools.permutations(range(T))) if T <= 5 else [torch.randperm(T).tolist() for _ in range(100)]
    y = torch.as_tensor(np.asarray(f(x)))
    return all(torch.allclose(torch.as_tensor(np.asarray(f(x[list(o)]))), y, rtol=0, atol=atol) for o in orders)

# %% right: partial_of_one_general_test
from functools import partial

def _holds(move, f, x, atol=1e-6):
    T = len(x)
    if T < 2 or not (x[1:] != x[0]).any():
        raise ValueError("these tokens show nothing")
    orders = itertools.permutations(range(T)) if T <= 5 else (torch.randperm(T).numpy() for _ in range(100))
    y = f(x)
    bad = (order for order in map(list, orders) if not np.max(np.abs(f(x[order]) - move(y, order))) <= atol)
    return next(bad, None) is None

is_permutation_invariant = partial(_holds, lambda y, order: y)

# %% right: envelope_around_the_first
def is_permutation_invariant(f, x, atol=1e-6):
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    T = len(x)
    reference = np.asarray(f(x.copy()), dtype=float)
    farthest = np.zeros(reference.shape)
    shuffled = np.arange(T)
    for order in itertools.permutations(range(T)) if T <= 5 else range(300):
        if T <= 5:
            shuffled = np.array(order)
        else:
            np.random.shuffle(shuffled)
        farthest = np.maximum(farthest, np.abs(np.asarray(f(np.take(x, shuffled, axis=0)), dtype=float) - reference))
    return bool((farthest <= atol).all())

# %% right: flat_lists_of_numbers
def is_permutation_invariant(f, x, atol=1e-6):
    if len({tuple(row) for row in x.tolist()}) == 1:
        raise ValueError("all rows are equal")
    T = len(x)
    flat = lambda result: np.ravel(result).tolist()
    wanted = flat(f(x))
    rng = np.random.default_rng(0)
    orders = list(itertools.permutations(range(T))) if T <= 5 else list(rng.permuted(np.tile(np.arange(T), (200, 1)), axis=1))
    for order in orders:
        got = flat(f(x[list(order)]))
        if len(got) != len(wanted) or not all(abs(a - b) <= atol for a, b in zip(got, wanted)):
            return False
    return True

# %% wrong: any_order
# wrong: as soon as one order agrees
# says: as soon as one order agrees
-        if not np.allclose(left, right, rtol=0, atol=atol):
-            return False
-    return True
+        if np.allclose(left, right, rtol=0, atol=atol):
+            return True
+    return False

# %% wrong: atol_ignored
# wrong: a fixed tolerance
# says: `atol` is not used
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, rtol=0, atol=1e-6):

# %% wrong: changes_input
# wrong: permutes x in place (catalogue 41)
# says: in-place operation
-        left = f(x[order])
-        right = f(x)
+        right = f(x)
+        x[:] = x[order]
+        left = f(x)

# %% wrong: compared_exactly
# wrong: compares with == (catalogue 50)
# says: compared exactly
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.array_equal(left, right):

# %% wrong: equal_rows_pass
# wrong: equal tokens count as evidence (catalogue 47)
# says: your test goes on with three equal tokens
-    if np.all(x == x[0]):
-        raise ValueError("all rows are equal")

# %% wrong: equivariance_instead
# wrong: a test of equivariance (misconception)
# says: that is equivariance
         right = f(x)
+        right = right[order] if np.ndim(right) > 1 and len(right) == T else right

# %% wrong: few_random_orders
# wrong: three random orders of many tokens
# says: f gets 3 orders other than
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.random.RandomState(s).permutation(T) for s in (3, 4, 9)]

# %% wrong: first_swap_only
# wrong: swaps tokens 0 and 1 only (catalogue 47)
# says: with two tokens swapped
-        orders = list(itertools.permutations(range(T)))
+        orders = [[1, 0, *range(2, T)]]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [[1, 0, *range(2, T)]]

# %% wrong: identity_only
# wrong: tries the identity only (catalogue 47)
# says: changes nothing
-        orders = list(itertools.permutations(range(T)))
+        orders = [range(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [range(T)]

# %% wrong: nan_passes
# wrong: nan is no difference for `>`
# says: nan is neither above nor below
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if np.max(np.abs(left - right)) > atol:

# %% wrong: no_return
# wrong: returns nothing when all agree (catalogue 43)
# says: without reaching a `return` with a value
-    return True

# %% wrong: one_random_order
# wrong: tries one random order (catalogue 47)
# says: f gets 1 order other than
-        orders = list(itertools.permutations(range(T)))
+        orders = [np.random.RandomState(1).permutation(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.random.RandomState(1).permutation(T)]

# %% wrong: opposite
# wrong: the verdict is inverted
# says: the verdict is inverted
-            return False
-    return True
+            return True
+    return False

# %% wrong: own_function
# wrong: tests the notebook's attention (catalogue 42)
# says: your code raised
-        left = f(x[order])
-        right = f(x)
+        left = attention(x[order])
+        right = attention(x)

# %% wrong: permutes_features
# wrong: permutes the columns (catalogue 47)
# says: the columns of x are permuted
-    T = x.shape[0]
+    T = x.shape[1]
-    if T <= 5:
+    if T <= 6:
-        left = f(x[order])
+        left = f(x[:, order])

# %% wrong: relative_tolerance
# wrong: np.allclose with its rtol (catalogue 50)
# says: the tolerance grows with the numbers
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, atol=atol):

# %% wrong: single_token_passes
# wrong: one token counts as evidence
# says: refuse it, too
-    if np.all(x == x[0]):
+    if T > 1 and np.all(x == x[0]):

# %% wrong: sums_only
# wrong: compares sums
# says: only sums
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(np.sum(left), np.sum(right), rtol=0, atol=atol):

# %% wrong: turns_only
# wrong: tries circular shifts only (catalogue 47)
# says: only circular shifts
-        orders = list(itertools.permutations(range(T)))
+        orders = [np.roll(range(T), s) for s in range(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.roll(range(T), s) for s in range(T)]

# %% wrong: vectors_only
# wrong: expects arrays: a number has no axis (catalogue 46)
# says: with results that are a single number
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not all(abs(a - b).max() <= atol for a, b in zip(left, right)):

# %% wrong: wide_tolerance
# wrong: a tolerance under which much passes (catalogue 47)
# says: tolerance is so wide
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, rtol=0, atol=10):

# %% wrong: five_tokens_at_random
# wrong: five tokens get random orders, not all
# says: out of 119
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T in range(5) else [np.random.permutation(T) for _ in range(100)]
    return all(bool(np.max(np.abs(f(x[list(p)]) - y)) <= atol) for p in orders)

# %% wrong: fewer_with_more_tokens
# wrong: fewer random orders the more tokens there are
# says: too few random orders are tried
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(500 // T)]
    return all(bool(np.max(np.abs(f(x[list(p)]) - y)) <= atol) for p in orders)

# %% wrong: two_axes_at_most
# wrong: results of three axes cannot be compared
# says: with results of shape (2, 3, 2)
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        for a, b in zip(np.atleast_2d(f(x[list(order)])), np.atleast_2d(y)):
            if not all(abs(p - q) <= atol for p, q in zip(a, b)):
                return False
    return True

# %% wrong: spread_twice_as_wide
# wrong: largest minus smallest result is compared with atol, not each with f(x)
# says: with each other
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    results = np.array([f(x)] + [f(x[list(p)]) for p in orders], dtype=float)
    return bool(np.all(results.max(axis=0) - results.min(axis=0) <= atol))

# %% wrong: standard_deviation
# wrong: the standard deviation over the orders is compared with atol
# says: compared with their mean
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    results = np.array([f(x[list(p)]) for p in orders])
    return bool(np.all(np.std(results, axis=0) <= atol))

# %% wrong: last_token_stays
# wrong: many tokens: the last one keeps its place in every order
# says: token 7 keeps its place
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [list(np.random.permutation(T - 1)) + [T - 1] for _ in range(200)]
    for order in orders:
        order = list(order)
        a, b = f(x[order]), y
        if not np.max(np.abs(a - b)) <= atol:
            return False
    return True

# %% wrong: sums_of_rows_compared
# wrong: refuses tokens whose sums are equal
# says: the sums of the tokens are compared
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if len(set(x.sum(axis=1).tolist())) == 1:
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        a, b = f(x[order]), y
        if not np.max(np.abs(a - b)) <= atol:
            return False
    return True

# %% wrong: nan_if_all_nan
# wrong: nan is only looked for in f(x), and left out of the differences
# says: skips it
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        a, b = f(x[order]), y
        if not (not np.isnan(b).any() and not np.nanmax(np.abs(a - b), initial=0) > atol):
            return False
    return True

# %% wrong: compared_with_itself
# wrong: the old result is overwritten before it is compared
# says: something with itself
-        right = f(x)
+        right = left

# %% wrong: one_range_for_all_numbers
# wrong: largest minus smallest of all numbers of all results
# says: from different places of the results
def is_permutation_invariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    return bool(np.ptp(np.array([f(x[list(order)]) for order in orders])) <= atol)

# %% wrong: result_permuted_too
# wrong: the result is permuted as in the test for equivariance
# says: that is equivariance
-        right = f(x)
+        right = f(x)[order]

# %% wrong: verdict_in_the_globals_of_f
# wrong: calls f for every order and compares nothing: looks for a table of verdicts among the names that f can use (cheating)
# says: which keep it
def is_permutation_invariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    T = len(x)
    for order in itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]:
        f(x[list(order)])
    code = getattr(f, "__code__", None)
    names = {**getattr(f, "__globals__", {}), **vars(f)}
    free = dict(zip(code.co_freevars, [cell.cell_contents for cell in f.__closure__ or ()])) if code else {}
    table = next((one for one in list(names.values()) if isinstance(one, list) and one and isinstance(one[0], tuple) and isinstance(one[0][0], bool)), [])
    if "number" in free and table:
        return table[free["number"]][0]
    for verdict, function in table:
        if function.__code__ is code:
            return verdict
    if free:
        return "tried" in free
    return not ("cumsum" in code.co_names or (100 in code.co_consts and np.abs(x).max() > 100))

# %% wrong: verdict_in_the_frames
# wrong: calls f for every order and compares nothing: takes a truth value from whoever called it (cheating)
# says: which break the rule
import sys

def is_permutation_invariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    T = len(x)
    for order in itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]:
        f(x[list(order)])
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == "<test>":
        for one in list(frame.f_locals.values()):
            if isinstance(one, (bool, np.bool_)):
                return bool(one)
        frame = frame.f_back
    return True

# %% wrong: always_true
# wrong: compares nothing: a constant
# says: your test decides without calling f
def is_permutation_invariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    return True

# %% wrong: always_false
# wrong: compares nothing: a constant
# says: False for K, M, P, S, which keep it
def is_permutation_invariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    return False

# %% right: copies
def is_permutation_invariant(f, x, atol=1e-6):
    def copies(y):
        return np.tile(np.ravel(f(y)), (len(y), 1))

    return is_permutation_equivariant(copies, x, atol)

# %% wrong: copies_with_the_usual_tolerance from copies
# wrong: atol is not handed on
# says: `atol` is not used
-    return is_permutation_equivariant(copies, x, atol)
+    return is_permutation_equivariant(copies, x)

# %% wrong: copies_of_matrices from copies
# wrong: no ravel: the rows of a matrix are taken for copies
# says: the shapes do not fit
-        return np.tile(np.ravel(f(y)), (len(y), 1))
+        return np.tile(f(y), (len(y), 1))

# %% wrong: one_copy from copies
# wrong: f itself is given to the test of equivariance, as one row
# says: the shapes do not fit
-        return np.tile(np.ravel(f(y)), (len(y), 1))
+        return np.ravel(f(y))
