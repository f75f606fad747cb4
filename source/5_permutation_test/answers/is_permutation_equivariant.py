# Right and wrong answers to `is_permutation_equivariant`; authoring/README.md says how they are written.

# %% right: loop
def is_permutation_equivariant(f, x, atol=1e-6):
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
        right = f(x)[order]
        if not np.allclose(left, right, rtol=0, atol=atol):
            return False
    return True

# %% right: generator_all
def is_permutation_equivariant(f, x, atol=1e-6):
    if len(np.unique(x, axis=0)) == 1:
        raise ValueError('no evidence')
    T = len(x)
    def orders():
        if T <= 5:
            yield from itertools.permutations(range(T))
        else:
            rng = np.random.default_rng(7)
            for _ in range(150):
                yield rng.permutation(T)
    return all(bool(np.max(np.abs(f(permute_tokens(x, p)) - permute_tokens(f(x), p))) <= atol) for p in orders())

# %% right: matrices
def is_permutation_equivariant(f, x, atol=1e-6):
    T = x.shape[0]
    if (x == x[:1]).all():
        raise ValueError('all tokens are equal')
    if T <= 5:
        chosen = np.array(list(itertools.permutations(range(T))))
    else:
        chosen = np.array([np.random.permutation(T) for _ in range(300)])
    for permutation in chosen:
        P = np.eye(T)[permutation]
        with np.errstate(invalid='ignore'):
            if not np.abs(f(P @ x) - P @ f(x)).max() <= atol:
                return False
    return True

# %% right: moved_back
def is_permutation_equivariant(f, x, atol=1e-6):
    from random import Random
    T = len(x)
    if T < 2 or np.ptp(x, axis=0).max() == 0:
        raise ValueError('these tokens prove nothing')
    draw = Random(3)
    orders = itertools.permutations(range(T)) if T < 6 else [draw.sample(range(T), T) for _ in range(120)]
    y = f(x)
    for order in orders:
        order = np.array(order)
        back = np.argsort(order)
        if not np.isclose(f(x[order])[back], y, rtol=0, atol=atol).all():
            return False
    return True

# %% right: numpy_truth_value
def is_permutation_equivariant(f, x, atol=1e-6):
    x = np.asarray(x)
    if np.all(x == x[0]):
        raise ValueError
    T = len(x)
    orders = itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(400))
    results = [np.all(np.abs(f(x[list(o)].copy()) - f(x.copy())[list(o)]) <= atol) for o in orders]
    return np.all(results)

# %% right: own_recursion
def all_orders(numbers):
    if not numbers:
        return [[]]
    return [[n] + rest for n in numbers for rest in all_orders([m for m in numbers if m != n])]


def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if not (x != x[0]).any():
        raise ValueError('every order is the same')
    orders = all_orders(list(range(T))) if T <= 5 else [list(np.random.permutation(T)) for _ in range(100)]
    verdict = True
    for order in orders:
        verdict = verdict and np.allclose(f(x[order]), f(x)[order], atol=atol, rtol=0.0)
    print('tried', len(orders), 'orders')
    return verdict

# %% right: worst_difference
def is_permutation_equivariant(f, x, atol=1e-6):
    if all(np.array_equal(row, x[0]) for row in x):
        raise ValueError('equal')
    T, worst = len(x), 0.0
    orders = list(itertools.permutations(range(T))) if T <= 5 else [np.random.RandomState(s).permutation(T) for s in range(100)]
    for order in orders:
        d = np.abs(f(x[list(order)]) - f(x)[list(order)])
        worst = max(worst, float('inf') if np.isnan(d).any() else d.max())
    return worst <= atol

# %% right: brings_the_output_back
def is_permutation_equivariant(f, x, atol=1e-6):
    T, _ = x.shape
    if T == 1 or (np.diff(x, axis=0) == 0).all():
        raise ValueError("all rows are equal")
    generator = np.random.default_rng()
    orders = list(itertools.permutations(range(T))) if T <= 5 else [generator.permutation(T) for _ in range(1000)]
    back = np.stack([np.asarray(f(x[np.array(order)]))[np.argsort(order)] for order in orders])
    return not np.any(~(abs(back - f(x)) <= atol))

# %% right: an_object_that_is_called
import math

class _Tester:
    def __call__(self, f, x, atol=1e-6):
        T = len(x)
        first = x[0].tolist()
        if all(row.tolist() == first for row in x):
            raise ValueError("no order of these tokens differs from another")
        y = f(x)
        return all(self.fits(f, x, y, order, atol) for order in self.orders(T))

    def orders(self, T):
        if T <= 5:
            yield from itertools.permutations(range(T))
        else:
            for _ in range(100):
                yield torch.randperm(T).tolist()

    def fits(self, f, x, y, order, atol):
        result = f(np.stack([x[old] for old in order]))
        for new, old in enumerate(order):
            for a, b in zip(result[new].tolist(), y[old].tolist()):
                if not math.fabs(a - b) <= atol:
                    return False
        return True

is_permutation_equivariant = _Tester()

# %% wrong: any_order
# wrong: as soon as one order agrees
# says: as soon as one order agrees
-        if not np.allclose(left, right, rtol=0, atol=atol):
-            return False
-    return True
+        if np.allclose(left, right, rtol=0, atol=atol):
+            return True
+    return False

# %% wrong: array_of_verdicts
# wrong: returns one verdict per token (catalogue 43)
# says: an array of shape (24,)
         orders = [np.random.permutation(T) for _ in range(100)]
+    return np.array([np.abs(f(x[list(o)]) - f(x)[list(o)]).max() <= atol for o in orders])

# %% wrong: asserts_distinct
# wrong: an assert instead of ValueError
# says: raised AssertionError
-    if np.all(x == x[0]):
-        raise ValueError("all rows are equal")
+    assert not np.all(x == x[0])

# %% wrong: atol_ignored
# wrong: a fixed tolerance instead of atol
# says: `atol` is not used
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, rtol=0, atol=1e-6):

# %% wrong: back_and_forth
# wrong: P on one side, its inverse on the other (catalogue 47)
# says: by P and the other by its inverse
-        right = f(x)[order]
+        right = f(x)[np.argsort(order)]

# %% wrong: changes_input
# wrong: permutes x in place (catalogue 41)
# says: in-place operation
-        left = f(x[order])
-        right = f(x)[order]
+        right = f(x)[order]
+        x[:] = x[order]
+        left = f(x)

# %% wrong: compared_exactly
# wrong: compares with == (catalogue 50)
# says: compared exactly
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not (left == right).all():

# %% wrong: equal_rows_false
# wrong: equal tokens give False instead of an error (catalogue 47)
# says: instead of raising one
-        raise ValueError("all rows are equal")
+        return False

# %% wrong: equal_rows_pass
# wrong: equal tokens count as evidence (catalogue 47)
# says: your test goes on with three equal tokens
# earns: 5
-    if np.all(x == x[0]):
-        raise ValueError("all rows are equal")

# %% wrong: first_swap_only
# wrong: swaps tokens 0 and 1 only (catalogue 47)
# says: with two tokens swapped
-        orders = list(itertools.permutations(range(T)))
+        orders = [[1, 0, *range(2, T)]]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [[1, 0, *range(2, T)]]

# %% wrong: first_token_only
# wrong: looks at the first row only
# says: differences in rows 1, 2, 3 go unnoticed
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left[0], right[0], rtol=0, atol=atol):

# %% wrong: five_random_orders
# wrong: tries five random orders of many tokens
# says: f gets 3 orders other than
# earns: 5
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.random.RandomState(s).permutation(T) for s in (3, 4, 9)]

# %% wrong: guesses_from_names
# wrong: looks at the function's name (cheating)
# says: your test decides without calling f
def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError
    return not any(word in f.__name__ for word in ('mask', 'position', 'sort'))

# %% wrong: identity_only
# wrong: tries the identity only (catalogue 47)
# says: changes nothing
# earns: 0
-        orders = list(itertools.permutations(range(T)))
+        orders = [range(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [range(T)]

# %% wrong: input_only
# wrong: permutes only the input: invariance (catalogue 47)
# says: that is invariance
-        right = f(x)[order]
+        right = f(x)

# %% wrong: invariance_instead
# wrong: returns a test of invariance (misconception)
# says: that is invariance
# earns: 0
-        right = f(x)[order]
+        right = f(x.copy())

# %% wrong: last_order_counts
# wrong: only the last order decides
# says: False only if that is the last one
-        if not np.allclose(left, right, rtol=0, atol=atol):
-            return False
-    return True
+        verdict = np.allclose(left, right, rtol=0, atol=atol)
+    return verdict

# %% wrong: nan_equal
# wrong: equal_nan lets nan pass
# says: nan counts as equal to nan
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, rtol=0, atol=atol, equal_nan=True):

# %% wrong: nan_passes
# wrong: nan is no difference for `>`
# says: nan is neither above nor below
# earns: 4
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if np.abs(left - right).max() > atol:

# %% wrong: not_the_last_order
# wrong: leaves out half of the orders
# says: f gets 11 orders other than
-        orders = list(itertools.permutations(range(T)))
+        orders = [o for o in itertools.permutations(range(T)) if o[0] < o[1]]

# %% wrong: one_random_order
# wrong: tries one random order (catalogue 47)
# says: f gets 1 order other than
-        orders = list(itertools.permutations(range(T)))
+        orders = [np.random.RandomState(1).permutation(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.random.RandomState(1).permutation(T)]

# %% wrong: ones_as_tokens
# wrong: tries tokens of ones (catalogue 47)
# says: rows that are not rows of x
         raise ValueError("all rows are equal")
+    x = np.ones_like(x)

# %% wrong: opposite
# wrong: the verdict is inverted
# says: the verdict is inverted
-            return False
-    return True
+            return True
+    return False

# %% wrong: output_only
# wrong: permutes only the output (catalogue 47)
# says: only its output is permuted
-        left = f(x[order])
+        left = f(x)

# %% wrong: own_function
# wrong: tests the notebook's attention instead of f (catalogue 42)
# says: your code raised
-        left = f(x[order])
-        right = f(x)[order]
+        left = attention(x[order])
+        right = attention(x)[order]

# %% wrong: own_tokens
# wrong: tries its own tokens instead of x (catalogue 42)
# says: f gets an array of shape (4, 4)
-    T = x.shape[0]
+    x = np.random.RandomState(0).normal(size=(4, 4))
+    T = 4

# %% wrong: permutes_features
# wrong: permutes the columns (catalogue 47)
# says: the columns of x are permuted
-    T = x.shape[0]
+    T = x.shape[1]
-    if T <= 5:
+    if T <= 6:
-        left = f(x[order])
-        right = f(x)[order]
+        left = f(x[:, order])
+        right = f(x)[:, order]

# %% wrong: prints_instead
# wrong: prints its verdict (catalogue 43)
# says: without reaching a `return` with a value
-            return False
-    return True
+            print(False)
+            return
+    print(True)

# %% wrong: random_orders_always
# wrong: twelve random orders instead of all 24
# says: only some orders are tried
-        orders = list(itertools.permutations(range(T)))
+        orders = [np.random.RandomState(s).permutation(T) for s in range(12)]

# %% wrong: refuses_any_equal_rows
# wrong: refuses tokens as soon as two are equal
# says: two equal tokens are enough
-    if np.all(x == x[0]):
+    if len(np.unique(x, axis=0)) < T:

# %% wrong: relative_tolerance
# wrong: np.allclose with its rtol (catalogue 50)
# says: the tolerance grows with the numbers
# earns: 4
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, atol=atol):

# %% wrong: returns_too_early
# wrong: returns after the first order
# says: the loop ends in its first round
-    return True
+        return True

# %% wrong: reversed_order_only
# wrong: tries the reversed order only (catalogue 47)
# says: only the reversed one
-        orders = list(itertools.permutations(range(T)))
+        orders = [range(T)[::-1]]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [range(T)[::-1]]

# %% wrong: rounded
# wrong: compares rounded numbers (catalogue 50)
# says: or the numbers are rounded
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.array_equal(np.round(left, 3), np.round(right, 3)):

# %% wrong: shuffled_copy
# wrong: shuffles a copy and uses the original (catalogue 47)
# says: changes nothing
-        order = list(order)
+        order = list(range(T))

# %% wrong: signed_difference
# wrong: forgets the absolute value
# says: the sign matters
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if (left - right).mean() > atol:

# %% wrong: single_token_passes
# wrong: one token counts as evidence
# says: refuse it, too
-    if np.all(x == x[0]):
+    if T > 1 and np.all(x == x[0]):

# %% wrong: sums_only
# wrong: compares sums over the tokens
# says: only sums or means
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left.sum(axis=0), right.sum(axis=0), rtol=0, atol=atol):

# %% wrong: turns_only
# wrong: tries circular shifts only (catalogue 47)
# says: only circular shifts
# earns: 3
-        orders = list(itertools.permutations(range(T)))
+        orders = [np.roll(range(T), s) for s in range(T)]
-        orders = [np.random.permutation(T) for _ in range(100)]
+        orders = [np.roll(range(T), s) for s in range(T)]

# %% wrong: wide_tolerance
# wrong: a tolerance under which anything passes (catalogue 47)
# says: tolerance is so wide
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(left, right, rtol=0, atol=10):

# %% wrong: two_dozen_for_many
# wrong: 24 random orders instead of 100 (seeded: others would find the visible example's fault in 96 of 100 runs, and miss it in 4)
# says: f gets 24 orders other than
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    rng = np.random.RandomState(0)
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [rng.permutation(T) for _ in range(24)]
    for order in orders:
        order = list(order)
        if not np.abs(f(x[order]) - y[order]).max() <= atol:
            return False
    return True

# %% wrong: all_orders_up_to_ten
# wrong: tries all orders of 6 to 10 tokens: millions of calls
# says: seven tokens have 5040
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 10 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        if not np.abs(f(x[order]) - y[order]).max() <= atol:
            return False
    return True

# %% wrong: strictly_smaller
# wrong: a difference of exactly atol counts as different
# says: exactly `atol` counts as different
# earns: 4
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    return all(bool(np.all(np.abs(f(x[list(p)]) - y[list(p)]) < atol)) for p in orders)

# %% wrong: mean_difference
# wrong: the mean of all differences is compared with atol
# says: the mean of all differences
# earns: 4
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        if not np.mean(np.abs(f(x[order]) - y[order])) <= atol:
            return False
    return True

# %% wrong: nearly_equal_rows_refused
# wrong: refuses tokens that are only nearly equal
# says: nearly equal count as equal
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if np.allclose(x, x[0]):
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        if not np.abs(f(x[order]) - y[order]).max() <= atol:
            return False
    return True

# %% wrong: sums_of_rows_compared
# wrong: refuses tokens whose sums are equal
# says: the sums of the tokens are compared
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if len(set(x.sum(axis=1).tolist())) == 1:
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        a, b = f(x[order]), y[order]
        if not np.max(np.abs(a - b)) <= atol:
            return False
    return True

# %% wrong: no_orders_for_six
# wrong: no orders are made for six tokens
# says: with six tokens
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    if T <= 5:
        orders = itertools.permutations(range(T))
    elif T > 6:
        orders = [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        if not np.abs(f(x[order]) - y[order]).max() <= atol:
            return False
    return True

# %% wrong: absolute_value_too_late
# wrong: the absolute value is taken of the largest difference, so smaller results are not seen
# says: results that are smaller go unnoticed
# earns: 2
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]
    for order in orders:
        order = list(order)
        if not abs(np.max(f(x[order]) - y[order])) <= atol:
            return False
    return True

# %% wrong: transpositions_only
# wrong: many tokens: the random orders only swap two tokens
# says: only two tokens swapped
# earns: 5
def is_permutation_equivariant(f, x, atol=1e-6):
    T = len(x)
    if (x == x[0]).all():
        raise ValueError("all rows are equal")
    y = f(x)
    orders = itertools.permutations(range(T)) if T <= 5 else [[b if t == a else a if t == b else t for t in range(T)] for a, b in (np.random.choice(T, 2, replace=False) for _ in range(200))]
    for order in orders:
        order = list(order)
        a, b = f(x[order]), y[order]
        if not np.max(np.abs(a - b)) <= atol:
            return False
    return True

# %% wrong: swallows_its_error
# wrong: the ValueError is raised inside of try and except
# says: an `except` catches everything
# earns: 5
-    if np.all(x == x[0]):
-        raise ValueError("all rows are equal")
+    try:
+        if np.all(x == x[0]):
+            raise ValueError("all rows are equal")
+        f(x)
+    except Exception:
+        return False

# %% wrong: shuffled_in_place
# wrong: np.random.shuffle returns None, and an index that is None adds an axis
# says: changes its object and gives None
-        order = list(order)
+        order = np.random.shuffle(list(order))

# %% wrong: matrix_from_the_right
# wrong: P stands on the side of the components
# says: the columns of x are permuted
-        left = f(x[order])
-        right = f(x)[order]
+        P = np.eye(T)[order]
+        left = f(x @ P)
+        right = f(x) @ P

# %% wrong: columns_counted
# wrong: the number of components is taken for the number of tokens
# says: the number of columns is used instead of the number of tokens
-    T = x.shape[0]
+    T = x.shape[1]

# %% wrong: iterator_used_up
# wrong: the orders are counted first, and the iterator is empty then
# says: the loop over all orders of few tokens gets none
-        orders = list(itertools.permutations(range(T)))
+        orders = itertools.permutations(range(T))
+        assert len(list(orders)) > 1

# %% wrong: norm_of_all
# wrong: the norm of all differences is compared with atol
# says: in a sum or a norm
# earns: 4
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.linalg.norm(left - right) <= atol:

# %% wrong: sorted_outputs
# wrong: both outputs are sorted before they are compared
# says: both sides are sorted
-        if not np.allclose(left, right, rtol=0, atol=atol):
+        if not np.allclose(np.sort(left, axis=0), np.sort(right, axis=0), rtol=0, atol=atol):

# %% wrong: verdict_in_the_globals_of_f
# wrong: calls f for every order and compares nothing: looks for a table of verdicts among the names that f can use (cheating)
# says: False for B, D, H, U
# earns: 0
def is_permutation_equivariant(f, x, atol=1e-6):
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

# %% wrong: verdict_in_the_closure
# wrong: calls f for every order and compares nothing: takes a truth value, or numbers to hold against atol, from what f keeps (cheating)
# says: which break the rule
# earns: 0
def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    T = len(x)
    for order in itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]:
        f(x[list(order)])
    kept = [cell.cell_contents for cell in getattr(f, "__closure__", None) or ()]
    kept += [*(getattr(f, "__defaults__", None) or ()), *(getattr(f, "__kwdefaults__", None) or {}).values()]
    for one in kept:
        if isinstance(one, (bool, np.bool_)):
            return bool(one)
    for one in kept:
        if isinstance(one, np.ndarray) and one.dtype.kind == "f" and one.shape != x[:, 0].shape:
            return bool(np.abs(one).max() <= atol)
    return True

# %% wrong: verdict_in_the_frames
# wrong: calls f for every order and compares nothing: takes a truth value from whoever called it (cheating)
# says: which break the rule
# earns: 0
import sys

def is_permutation_equivariant(f, x, atol=1e-6):
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

# %% wrong: verdict_in_memory
# wrong: calls f for every order and compares nothing: asks the garbage collector for a list of verdicts and functions (cheating)
# says: your test says
# earns: 0
import gc

seen = []

def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    T = len(x)
    for order in itertools.permutations(range(T)) if T <= 5 else [np.random.permutation(T) for _ in range(100)]:
        f(x[list(order)])
    if not seen:
        tuples = [one for one in gc.get_objects() if isinstance(one, tuple) and 1 < len(one) < 6]
        seen.append([one for one in tuples if any(isinstance(part, bool) for part in one) and any(map(callable, one))])
    inner = [cell.cell_contents for cell in getattr(f, "__closure__", None) or ()]
    for held in seen[0]:
        if any(part is f or any(part is one for one in inner if callable(one)) for part in held):
            return next(part for part in held if isinstance(part, bool))
    return True

# %% wrong: always_true
# wrong: compares nothing: a constant
# says: your test decides without calling f
# earns: 0
def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    return True

# %% wrong: always_false
# wrong: compares nothing: a constant
# says: False for B, D, H, U, which keep it
# earns: 0
def is_permutation_equivariant(f, x, atol=1e-6):
    if np.all(x == x[0]):
        raise ValueError("all rows are equal")
    return False
