# Right and wrong answers to `smallest_overflow`; authoring/README.md says how they are written.

# %% right: loop
def smallest_overflow(float_type):
    n = 0
    while not np.isinf(np.exp(np.dtype(float_type).type(n))):
        n += 1
    return n

# %% right: all_at_once
def smallest_overflow(float_type):
    with np.errstate(over="ignore"):
        return int(np.argmax(np.isinf(np.exp(np.arange(1000).astype(float_type)))))

# %% right: bisection
def smallest_overflow(float_type):
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        if np.isinf(np.exp(np.array(middle, dtype=float_type))):
            high = middle
        else:
            low = middle
    return high

# %% right: logarithm
import math


def smallest_overflow(float_type):
    return math.floor(math.log(float(np.finfo(float_type).max))) + 1

# %% right: next_of_range
def smallest_overflow(float_type):
    kind = {"float16": np.float16, "float32": np.float32, "float64": np.float64}[float_type]
    return next(n for n in range(10_000) if not np.isfinite(np.exp(kind(n))))

# %% right: numpy_integer
def smallest_overflow(float_type):
    # das Ergebnis ist ein np.int64
    return np.ceil(np.log(np.longdouble(np.finfo(float_type).max))).astype(int)

# %% right: torch
def smallest_overflow(float_type):
    numbers = torch.arange(800, dtype=torch.float64).to(getattr(torch, float_type))
    return int(torch.isinf(torch.exp(numbers)).nonzero()[0])

# %% right: counts_the_finite_ones
def smallest_overflow(float_type):
    with np.errstate(over="ignore"):
        return int(np.isfinite(np.exp(np.arange(2048, dtype=float_type))).sum())

# %% right: waits_for_the_exception
def smallest_overflow(float_type):
    from itertools import count
    with np.errstate(over="raise"):
        for n in count():
            try:
                np.exp(np.array(n, dtype=float_type))
            except FloatingPointError:
                return n

# %% right: table
def smallest_overflow(float_type):
    return dict(float16=12, float32=89, float64=710)[float_type]

# %% wrong: always_float64
# wrong: ignores the type (catalogue 42)
# says: computed in float64
-    while not np.isinf(np.exp(np.dtype(float_type).type(n))):
+    while np.isfinite(np.exp(float(n))):

# %% wrong: by_tens
# wrong: goes in steps of ten
# says: n goes in steps of 10
def smallest_overflow(float_type):
    n = 0
    while np.isfinite(np.exp(np.dtype(float_type).type(n))):
        n += 10
    return n

# %% wrong: known_for_two
# wrong: knows two types by heart
# says: raised KeyError
def smallest_overflow(float_type):
    return {"float32": 89, "float64": 710}[float_type]

# %% wrong: largest_number
# wrong: logarithm of base 2
# says: the edges of the powers of 2, not of e
def smallest_overflow(float_type):
    return round(float(np.log2(float(np.finfo(float_type).max))))

# %% wrong: last_finite
# wrong: the largest number that still works
# says: is still finite
-    while not np.isinf(np.exp(np.dtype(float_type).type(n))):
+    while np.isfinite(np.exp(np.dtype(float_type).type(n + 1))):

# %% wrong: not_whole
# wrong: returns the edge itself (catalogue 43)
# says: a whole number
def smallest_overflow(float_type):
    return float(np.log(np.float64(np.finfo(float_type).max)))

# %% wrong: prints
# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def smallest_overflow(float_type):
    print(np.floor(np.log(np.finfo(float_type).max)) + 1)

# %% wrong: underflow
# wrong: looks for the zero on the other side
# says: becomes too small for the type: the wrong side
-    while not np.isinf(np.exp(np.dtype(float_type).type(n))):
+    while np.exp(np.dtype(float_type).type(-n)) > 0:

# %% wrong: goes_on_where_it_stopped
# wrong: the counter lives on from call to call
# says: `n=[0]` in line 1, a default, is made only once and keeps its contents between calls
def smallest_overflow(float_type, n=[0]):
    number = np.dtype(float_type).type
    while not np.isinf(np.exp(number(n[0]))):
        n[0] += 1
    return n[0]

# %% wrong: sixteen_bits_by_chance
# wrong: the search begins at 20, behind the edge of float16
# says: your code has the number 20, in `n = 20`
def smallest_overflow(float_type):
    number = np.dtype(float_type).type
    n = 20
    while np.isfinite(np.exp(number(n))):
        n += 1
    return n

# %% wrong: zero_dimensional_float
# wrong: a float, though a whole one (catalogue 43)
# says: the result is not of the type that the card says
def smallest_overflow(float_type):
    return np.array(np.floor(np.log(float(np.finfo(float_type).max))) + 1)

# %% wrong: nearest
# wrong: rounds the logarithm to the nearest whole number
# says: rounded to the *nearest* whole number
def smallest_overflow(float_type):
    return round(float(np.log(float(np.finfo(float_type).max))))

# %% wrong: doubled
# wrong: doubles n in every round
# says: n is doubled in every round, so the numbers in between are skipped
def smallest_overflow(float_type):
    n = 1
    while np.isfinite(np.exp(np.dtype(float_type).type(n))):
        n *= 2
    return n

# %% wrong: a_hundred_at_most
# wrong: tries a hundred numbers (catalogue 42)
# says: your code has the number 100, in `range(100)`
def smallest_overflow(float_type):
    for n in range(100):
        if np.isinf(np.exp(np.dtype(float_type).type(n))):
            return n

# %% wrong: half_precision_left_out
# wrong: takes float16 for float32
# says: "float16" gives the number that is right for "float32"
def smallest_overflow(float_type):
    number = np.float64 if float_type == "float64" else np.float32
    n = 0
    while np.isfinite(np.exp(number(n))):
        n += 1
    return n

# %% wrong: one_round_more
# wrong: counts once more behind the edge
# says: each of your numbers is 1 too large
def smallest_overflow(float_type):
    n, number = 0, np.dtype(float_type).type
    while True:
        finite = np.isfinite(np.exp(number(n)))
        n += 1
        if not finite:
            return n

# %% wrong: largest_itself
# wrong: the largest number, without a logarithm
# says: this is the largest number of the type
def smallest_overflow(float_type):
    return int(np.finfo(float_type).max)

# %% wrong: smallest_number
# wrong: the logarithm of the smallest normal number: near the last finite one for two types
# says: becomes too small for the type: the wrong side
def smallest_overflow(float_type):
    return int(np.ceil(-np.log(float(np.finfo(float_type).tiny))))
