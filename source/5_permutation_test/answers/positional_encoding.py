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

# %% wrong: added_to_tokens
# wrong: adds the encoding to tokens of the notebook (catalogue 42, 48)
# says: your code raised
-    return result
+    return tokens + result

# %% wrong: at_most_fifty
# wrong: fifty places and no more (catalogue 42)
# says: only the hidden tests see it
-    return result
+    return result * (np.arange(T)[:, None] < 50)

# %% wrong: base_1000
# wrong: base 1000
# says: the base is another one
-            angle = t / 10000 ** (i / k)
+            angle = t / 1000 ** (i / k)

# %% wrong: cosine_first
# wrong: cosines in the even columns
# says: cosines stand in the even columns
-            result[t, i] = np.sin(angle)
+            result[t, i] = np.cos(angle)
-                result[t, i + 1] = np.cos(angle)
+                result[t, i + 1] = np.sin(angle)

# %% wrong: degrees
# wrong: degrees instead of radians
# says: no mistake that this check knows
-            angle = t / 10000 ** (i / k)
+            angle = np.deg2rad(t / 10000 ** (i / k))

# %% wrong: doubled_exponent
# wrong: exponent 2c / k with c the column
# says: twice the column's number
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (2 * i / k)

# %% wrong: exponent_of_even_k
# wrong: for odd k the exponent uses k + 1
# says: for an odd k
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i / (k + k % 2))

# %% wrong: float16
# wrong: stored with few digits (catalogue 43)
# says: rounded
-    return result
+    return result.astype(np.float16)

# %% wrong: from_one
# wrong: places counted from 1
# says: counted from 1
-            angle = t / 10000 ** (i / k)
+            angle = (t + 1) / 10000 ** (i / k)

# %% wrong: half_minus_one
# wrong: exponent over (k/2 - 1), as some libraries do (catalogue 48)
# says: no mistake that this check knows
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i / max(k - 2, 1))

# %% wrong: halved_exponent
# wrong: exponent i / k with i the pair
# says: the exponent is i / k
-            angle = t / 10000 ** (i / k)
+            angle = t / 10000 ** (i // 2 / k)

# %% wrong: halves
# wrong: sines first, cosines after (catalogue 48)
# says: all sines come first
def positional_encoding(T, k):
    t = np.arange(T)[:, None]
    rate = 10000.0 ** (-np.arange(0, k, 2) / k)
    return np.concatenate([np.sin(t * rate), np.cos(t * rate)[:, :k // 2]], axis=1)

# %% wrong: integer_division
# wrong: i // k is 0: every pair turns alike (catalogue 43)
# says: no mistake that this check knows
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
-            angle = t / 10000 ** (i / k)
+            angle = t * 10000 ** (i / k)

# %% wrong: odd_k_fails from slices
# wrong: an odd k is not handled
# says: your code raised
-    result[:, 1::2] = np.cos(t * rate)[:, :k // 2]
+    result[:, 1::2] = np.cos(t * rate)

# %% wrong: odd_k_rounded_up
# wrong: an odd k is rounded up
# says: shape
def positional_encoding(T, k):
    e = k + k % 2
    c = np.arange(e)
    angle = np.arange(T)[:, None] / 10000 ** (2 * (c // 2) / k)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))

# %% wrong: own_exponent
# wrong: each column has its own exponent
# says: a wavelength of its own
def positional_encoding(T, k):
    c = np.arange(k)
    angle = np.arange(T)[:, None] / 10000 ** (c / k)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))

# %% wrong: sine_everywhere
# wrong: only sines
# says: all columns are sines
-                result[t, i + 1] = np.cos(angle)
+                result[t, i + 1] = np.sin(angle)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
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
