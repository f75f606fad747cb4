# Right and wrong answers to `positional_encoding`; authoring/README.md says how they are written.

# %% right: loops
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(0, k, 2):
            angle = t / 10000 ** (i / k)
            result[t, i] = np.sin(angle)
            if i + 1 < k:
                result[t, i + 1] = np.cos(angle)
    return result

# %% right: column_by_column
def positional_encoding(T, k):
    columns = []
    for c in range(k):
        angle = np.arange(T) / np.power(10000, (c - c % 2) / k)
        columns.append(np.cos(angle) if c % 2 else np.sin(angle))
    return np.stack(columns, axis=1)

# %% right: complex_numbers
def positional_encoding(T, k):
    i = np.arange((k + 1) // 2)
    turn = np.exp(1j * np.outer(np.arange(T), 10000.0 ** (-2 * i / k)))
    result = np.empty((T, 2 * len(i)))
    result[:, ::2], result[:, 1::2] = turn.imag, turn.real
    return result[:, :k]

# %% right: list_comprehension
def positional_encoding(T, k):
    return np.array([[(np.cos if c % 2 else np.sin)(t / 10000 ** (2 * (c // 2) / k)) for c in range(k)] for t in range(T)])

# %% right: log_space
def positional_encoding(T, k):
    t = np.arange(T, dtype=float).reshape(-1, 1)
    rate = np.exp(np.arange(0, k, 2) * -(np.log(10000.0) / k))
    pairs = np.stack([np.sin(t * rate), np.cos(t * rate)], axis=-1)
    return pairs.reshape(T, -1)[:, :k]

# %% right: shifted_sine
def positional_encoding(T, k):
    c = np.arange(k)
    angle = np.outer(np.arange(T), 10000.0 ** (-2 * (c // 2) / k))
    return np.sin(angle + (c % 2) * np.pi / 2)

# %% right: slices
def positional_encoding(T, k):
    result = np.zeros((T, k))
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    result[:, 0::2] = np.sin(t * rate)
    result[:, 1::2] = np.cos(t * rate)[:, :k // 2]
    return result

# %% right: torch
def positional_encoding(T, k):
    t = torch.arange(T, dtype=torch.float64)[:, None]
    c = torch.arange(k)
    angle = t / 10000 ** (2 * (c // 2) / k)
    return torch.where(c % 2 == 0, angle.sin(), angle.cos()).numpy()

# %% right: clock_hands_that_turn
def positional_encoding(T, k):
    step = 1 / 10000 ** (2 * np.arange((k + 1) // 2) / k)
    s, c = np.zeros_like(step), np.ones_like(step)
    rows = []
    for _ in range(T):
        rows.append(np.column_stack([s, c]).ravel()[:k])
        s, c = s * np.cos(step) + c * np.sin(step), c * np.cos(step) - s * np.sin(step)
    return np.array(rows)

# %% right: rounded_to_float32_at_the_end
def positional_encoding(T, k):
    t = torch.arange(T, dtype=torch.float64)
    column = torch.arange(k)
    rate = torch.pow(10000.0, -(column // 2 * 2).double() / k)
    angle = torch.einsum("t,c->tc", t, rate)
    return torch.where(column % 2 == 1, angle.cos(), angle.sin()).float().numpy()

# %% right: float32_throughout
def positional_encoding(T, k):
    places = torch.arange(T).float().unsqueeze(1)
    rates = torch.exp(torch.arange(0, k, 2).float() * (-np.log(10000.0) / k))
    result = torch.zeros(T, k)
    result[:, 0::2] = torch.sin(places * rates)
    result[:, 1::2] = torch.cos(places * rates[:k // 2])
    return result.numpy()

# %% wrong: added_to_tokens
# wrong: adds the encoding to tokens of the notebook (catalogue 42, 48)
# says: your code raised
-    return result
+    return tokens + result

# %% wrong: at_most_fifty
# wrong: fifty places and no more (catalogue 42)
# says: for T and k
-    return result
+    return result * (np.arange(T)[:, None] < 50)

# %% wrong: base_1000
# wrong: base 1000
# says: the base is different
# likely: the base is different
# next: use 10000
-            angle = t / 10000 ** (i / k)
+            angle = t / 1000 ** (i / k)

# %% wrong: cosine_first
# wrong: cosines in the even columns
# says: the even columns are cosines
# likely: the even columns are cosines
# next: make column 0 a sine
-            result[t, i] = np.sin(angle)
+            result[t, i] = np.cos(angle)
-                result[t, i + 1] = np.cos(angle)
+                result[t, i + 1] = np.sin(angle)

# %% wrong: degrees
# wrong: degrees instead of radians
# says: degrees instead of radians
# likely: the angles are in degrees instead of radians
# next: compare that step with *Pseudocode* in the card
-            angle = t / 10000 ** (i / k)
+            angle = np.deg2rad(t / 10000 ** (i / k))

# %% wrong: doubled_exponent
# wrong: exponent 2c / k with c the column
# says: twice the column's number
# likely: the exponent is twice the right one: twice the column's number stands over k, or half of k is taken for k
# next: divide the number of the even column, 2i, by k, the number of all columns
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (2 * i / k)

# %% wrong: float16
# wrong: stored with few digits (catalogue 43)
# says: float16 keeps only three digits
-    return result
+    return result.astype(np.float16)

# %% wrong: from_one
# wrong: positions counted from 1
# says: counted from 1
# likely: the positions are counted from 1
# next: start with t = 0
-            angle = t / 10000 ** (i / k)
+            angle = (t + 1) / 10000 ** (i / k)

# %% wrong: half_minus_one
# wrong: exponent over (k/2 - 1), as some libraries do (catalogue 48)
# says: the exponent divides by (k/2 - 1)
# likely: the exponent divides by (k/2 - 1), as in some libraries
# next: compare that step with *Pseudocode* in the card
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i / max(k - 2, 1))

# %% wrong: halved_exponent
# wrong: exponent i / k with i the pair
# says: the exponent is i / k
# likely: the exponent is i / k
# next: use 2i / k: the number of the even column over k
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i // 2 / k)

# %% wrong: halves
# wrong: sines first, cosines after (catalogue 48)
# says: all sines come first
# likely: all sines come first, then all cosines
# next: alternate sine and cosine: even columns, odd columns
def positional_encoding(T, k):
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    return np.concatenate([np.sin(t * rate), np.cos(t * rate)[:, :k // 2]], axis=1)

# %% wrong: integer_division
# wrong: i // k is 0: every pair turns alike (catalogue 43)
# says: i // k is 0
# likely: i // k is 0, so all pairs turn at the same rate
# next: compare that step with *Pseudocode* in the card
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i // k)

# %% wrong: integers
# wrong: stored in integers (catalogue 43)
# says: your array holds int
-    result = np.zeros((T, k))
+    result = np.zeros((T, k), dtype=int)

# %% wrong: multiplied
# wrong: multiplies instead of dividing
# says: the angle grows
# likely: the angle grows with the exponent
# next: divide the position by the power of 10000, do not multiply
-            angle = t / 10000 ** (i / k)
+            angle = t * 10000 ** (i / k)

# %% wrong: own_exponent
# wrong: each column has its own exponent
# says: its own wavelength
# likely: every column has its own wavelength
# next: give columns 2i and 2i + 1 the same exponent, 2i / k
def positional_encoding(T, k):
    c = np.arange(k)
    angle = np.arange(T)[:, None] / 10000 ** (c / k)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))

# %% wrong: sine_everywhere
# wrong: only sines
# says: all columns are sines
# likely: all columns are sines
# next: make the odd columns cosines
-                result[t, i + 1] = np.cos(angle)
+                result[t, i + 1] = np.sin(angle)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
-    return result
+    return result.squeeze()

# %% wrong: torch_result
# wrong: a torch tensor (catalogue 43)
# says: your function returns a torch tensor
-    return result
+    return torch.from_numpy(result)

# %% wrong: transposed
# wrong: places in columns (catalogue 19)
# says: shape
-    return result
+    return result.T

# %% wrong: half_precision
# wrong: places in float16: from 2048 on some share a row
# says: for T and k
def positional_encoding(T, k):
    t = np.arange(T).astype(np.float16).astype(float)[:, None]
    column = np.arange(k)
    angle = t / 10000 ** ((column - column % 2) / k)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

# %% wrong: five_hundred_and_twelve_places
# wrong: at most 512 places
# says: 5000 and 4: shape (512, 4)
def positional_encoding(T, k):
    t = np.arange(min(T, 512))[:, None]
    column = np.arange(k)
    angle = t / 10000 ** ((column - column % 2) / k)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))

# %% wrong: rounded_to_six
# wrong: the numbers are rounded to six digits
# says: the numbers are rounded to 6 decimals
def positional_encoding(T, k):
    t = np.arange(T)[:, None]
    column = np.arange(k)
    angle = t / 10000 ** ((column - column % 2) / k)
    p = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    return p.round(6)

# %% wrong: remembered_by_T_alone
# wrong: remembers the table of T, whatever k is (catalogue 42)
# says: `tables = {}` in line 1 is made only once and
tables = {}

def positional_encoding(T, k):
    if T not in tables:
        column = np.arange(k)
        angle = np.arange(T)[:, None] / 10000 ** ((column - column % 2) / k)
        tables[T] = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    return tables[T].copy()

# %% right: by_loops
def positional_encoding(T, k):
    result = np.zeros((T, k))
    for t in range(T):
        for i in range(k):
            angle = t / 10000 ** (2 * (i // 2) / k)
            if i % 2 == 0:
                result[t, i] = np.sin(angle)
            else:
                result[t, i] = np.cos(angle)
    return result

# %% wrong: ten_e_four
# wrong: 10e4 is 100 000
# says: the base is 100 000
# likely: the base is 100 000, which is 10e4
# next: write 10 000 as 1e4
-            angle = t / 10000 ** (i / k)
+            angle = t / 10e4 ** (i / k)

# %% wrong: power_first
# wrong: the power is taken before the division by k
# says: the power is taken first
# likely: the power is taken first, then divided by k
# next: put the exponent in brackets, `10000 ** (i / k)`
-            angle = t / 10000 ** (i / k)
+            angle = t / (10000 ** i / k)

# %% wrong: power_first_then_twice
# wrong: the power is taken before the division, and everything is divided by k
# says: the power is taken first
# likely: the power is taken first, and the result is then divided by k
# next: put the exponent in brackets, `10000 ** (i / k)`
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** i / k

# %% wrong: cosines_of_sines
# wrong: the cosines are made of the sines, which have replaced the angles
# says: the cosines are taken from the sines
# likely: the cosines are taken from the sines to their left, not from the angles
# next: keep the angles in a separate array until both are computed
-                result[t, i + 1] = np.cos(angle)
+                result[t, i + 1] = np.cos(result[t, i])

# %% wrong: reshaped
# wrong: the table is made the other way round, and reshaped in place of transposed
# says: reshaped, not transposed
# likely: a table with one row for each column was reshaped, not transposed
# next: use `.T` to exchange rows and columns; `reshape` reads the same numbers in a new shape
-    return result
+    return result.T.copy().reshape(T, k)

# %% wrong: first_place_alone
# wrong: returns after the first place
# says: is inside the loop `for t in range(T)`
-    return result
+        return result

# %% wrong: tiled
# wrong: the angles of 0, 1, 2 ... 0, 1, 2 stand in place of 0, 0, 1, 1
# says: the row of angles is repeated as a whole
# likely: the row of angles is repeated as a whole, a b c a b c, not a a b b c c
# next: use `np.repeat(angles, 2, axis=1)`: it repeats each angle
def positional_encoding(T, k):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, k, 2) / k)
    angles = np.tile(angles, 2)[:, :k]
    result = np.sin(angles)
    result[:, 1::2] = np.cos(angles[:, 1::2])
    return result
