# Right and wrong answers to `rotary`; authoring/README.md says how they are written.

# %% right: slices
def rotary(x, positions):
    d = x.shape[1]
    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    even, odd = x[:, 0::2], x[:, 1::2]
    result = np.zeros(x.shape)
    result[:, 0::2] = even * np.cos(angle) - odd * np.sin(angle)
    result[:, 1::2] = even * np.sin(angle) + odd * np.cos(angle)
    return result

# %% right: complex_numbers
def rotary(x, positions):
    d = x.shape[1]
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    turned = pairs * np.exp(1j * np.outer(positions, 10000.0 ** (-np.arange(0, d, 2) / d)))
    return np.dstack([turned.real, turned.imag]).reshape(len(x), d)

# %% right: by_loops
def rotary(x, positions):
    T, d = x.shape
    result = np.zeros((T, d))
    for t in range(T):
        for i in range(0, d, 2):
            angle = positions[t] / 10000 ** (i / d)
            result[t, i] = x[t, i] * np.cos(angle) - x[t, i + 1] * np.sin(angle)
            result[t, i + 1] = x[t, i] * np.sin(angle) + x[t, i + 1] * np.cos(angle)
    return result

# %% right: a_matrix_for_each_token
def rotary(x, positions):
    T, d = x.shape
    rows = []
    for token, position in zip(x, positions):
        turn = np.zeros((d, d))
        for m in range(d // 2):
            a = position * 10000 ** (-2 * m / d)
            turn[2 * m:2 * m + 2, 2 * m:2 * m + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        rows.append(turn @ token)
    return np.stack(rows)

# %% right: with_the_partner
def rotary(x, positions):
    d = x.shape[1]
    column = np.arange(d)
    angle = np.outer(positions, 10000.0 ** (-(column - column % 2) / d))
    partner = x[:, column + 1 - 2 * (column % 2)] * np.where(column % 2, 1, -1)
    return x * np.cos(angle) + partner * np.sin(angle)

# %% right: torch
def rotary(x, positions):
    d = x.shape[1]
    angle = torch.tensor(positions)[:, None].double() / 10000 ** (torch.arange(0, d, 2) / d)
    even, odd = torch.tensor(x).double().reshape(-1, d // 2, 2).unbind(-1)
    turned = [even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()]
    return torch.stack(turned, dim=-1).flatten(1).numpy()

# %% right: einsum
def rotary(x, positions):
    T, d = x.shape
    a = positions.reshape(T, 1) * np.exp(-np.log(10000) * np.arange(0, d, 2) / d)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.einsum("ijtm,tmj->tmi", turn, x.reshape(T, d // 2, 2)).reshape(T, d)

# %% right: float32_throughout
def rotary(x, positions):
    d = x.shape[1]
    rates = torch.exp(torch.arange(0, d, 2).float() * (-np.log(10000.0) / d))
    angle = torch.tensor(positions).float()[:, None] * rates
    pairs = torch.view_as_complex(torch.tensor(x).float().reshape(len(x), -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(1).numpy()

# %% wrong: halves
# wrong: component m is paired with m + d/2, as in other published code (catalogue 51)
# says: paired with the component half a token away
# likely: each component is paired with the component half a token away, not with its neighbour
# next: take the pairs as `x[:, 0::2]` and `x[:, 1::2]`
def rotary(x, positions):
    d = x.shape[1]
    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    first, second = x[:, :d // 2], x[:, d // 2:]
    return np.concatenate([first * np.cos(angle) - second * np.sin(angle), first * np.sin(angle) + second * np.cos(angle)], axis=1)

# %% wrong: tiled from with_the_partner
# wrong: neighbours are paired, with the angles of halves (catalogue 51)
# says: a b a b
# likely: the row of angles is repeated as a whole, a b a b: the two components of a pair get different angles
# next: use `np.repeat(angle, 2, axis=1)`, a a b b, where neighbours are pairs
-    angle = np.outer(positions, 10000.0 ** (-(column - column % 2) / d))
+    angle = np.tile(np.outer(positions, 10000.0 ** (-np.arange(0, d, 2) / d)), 2)

# %% wrong: side_by_side
# wrong: right pairs, but the results stand one half after the other
# says: first halves of the pairs come first
# likely: the pairs are rotated right, but the first halves of the pairs come first, then all the second ones
# next: put the two results back where they came from: even columns, odd columns
def rotary(x, positions):
    d = x.shape[1]
    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    even, odd = x[:, 0::2], x[:, 1::2]
    return np.concatenate([even * np.cos(angle) - odd * np.sin(angle), even * np.sin(angle) + odd * np.cos(angle)], axis=1)

# %% wrong: backwards
# wrong: the signs of the sines are exchanged (catalogue 51)
# says: the other way round
# likely: each pair is rotated the other way round
# next: the minus stands in the even columns: even times cosine minus odd times sine
-    result[:, 0::2] = even * np.cos(angle) - odd * np.sin(angle)
-    result[:, 1::2] = even * np.sin(angle) + odd * np.cos(angle)
+    result[:, 0::2] = even * np.cos(angle) + odd * np.sin(angle)
+    result[:, 1::2] = odd * np.cos(angle) - even * np.sin(angle)

# %% wrong: both_plus
# wrong: no minus at all: not a rotation
# says: the minus is missing
# likely: the minus is missing: the lengths of the pairs change, so this is no rotation
# next: even columns are even times cosine *minus* odd times sine
-    result[:, 0::2] = even * np.cos(angle) - odd * np.sin(angle)
+    result[:, 0::2] = even * np.cos(angle) + odd * np.sin(angle)

# %% wrong: full_turns
# wrong: the angle is multiplied by 2π
# says: multiplied by 2π
# likely: the angle is multiplied by 2π
# next: the angle in radians is position / 10000 ** (2i / d), without a factor
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = 2 * np.pi * positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)

# %% wrong: from_one
# wrong: positions counted from 1
# says: one position too far
# likely: every token is rotated one position too far
# next: use `positions` as they are: at position 0 nothing turns
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = (positions[:, None] + 1) / 10000 ** (np.arange(0, d, 2) / d)

# %% wrong: number_of_the_row
# wrong: the row's number in place of its position
# says: by the number of its row
# likely: every token is rotated by the number of its row, whatever `positions` says
# next: use the argument `positions`: rows need not stand at 0, 1, 2
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = np.arange(len(x))[:, None] / 10000 ** (np.arange(0, d, 2) / d)

# %% wrong: halved_exponent
# wrong: exponent i / d with i the pair, for 2i / d
# says: the exponent is i / d
# likely: the exponent is i / d, with i the number of the pair
# next: use 2i / d: the number of the even column over d
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[:, None] / 10000 ** (np.arange(d // 2) / d)

# %% wrong: doubled_exponent
# wrong: exponent 2c / d with c the even column
# says: twice the column's number
# likely: the exponent is twice the right one: twice the column's number stands over d, or the number of pairs is taken for d
# next: divide the number of the even column, 2i, by d, the number of all columns
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[:, None] / 10000 ** (2 * np.arange(0, d, 2) / d)

# %% wrong: one_angle_for_all_tokens
# wrong: all tokens are rotated by the angle of the last
# says: by one and the same angle
# likely: all tokens are rotated by one and the same angle, that of the last position
# next: make one row of angles for each token: `positions[:, None] / ...`
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[-1] / 10000 ** (np.arange(0, d, 2) / d)

# %% wrong: one_angle_for_all_pairs
# wrong: all pairs turn at the same rate
# says: all pairs turn at the same rate
# likely: all pairs turn at the same rate
# next: divide the position by 10000 ** (2i / d), with i the number of the pair
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[:, None]

# %% wrong: multiplied
# wrong: multiplies by the power in place of dividing
# says: the angle grows with the exponent
# likely: the angle grows with the exponent
# next: divide the position by the power of 10000, do not multiply
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[:, None] * 10000 ** (np.arange(0, d, 2) / d)

# %% wrong: degrees
# wrong: degrees in place of radians
# says: degrees
# likely: the angles are in degrees, not in radians
# next: leave out `np.deg2rad`: position / 10000 ** (2i / d) is in radians
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = np.deg2rad(positions[:, None] / 10000 ** (np.arange(0, d, 2) / d))

# %% wrong: base_1000
# wrong: base 1000
# says: the base is different
# likely: the base is different
# next: use 10000
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = positions[:, None] / 1000 ** (np.arange(0, d, 2) / d)

# %% wrong: even_has_changed
# wrong: the odd columns are made of the even ones that are rotated already
# says: made from the rotated even columns
# likely: the odd columns are made from the rotated even columns, not from those of x
# next: keep the numbers of both columns until both results are computed: a slice shows them, and `.copy()` keeps them
-    result[:, 1::2] = even * np.sin(angle) + odd * np.cos(angle)
+    result[:, 1::2] = result[:, 0::2] * np.sin(angle) + odd * np.cos(angle)

# %% wrong: added
# wrong: sines and cosines are added, as positional encodings are (catalogue 48)
# says: added to the token
# likely: sines and cosines are added to the token, as positions are in lesson 5
# next: multiply: each result is made of both components of a pair, times a cosine and a sine
-    result[:, 0::2] = even * np.cos(angle) - odd * np.sin(angle)
-    result[:, 1::2] = even * np.sin(angle) + odd * np.cos(angle)
+    result[:, 0::2] = even + np.sin(angle)
+    result[:, 1::2] = odd + np.cos(angle)

# %% wrong: in_place
# wrong: writes into the tokens (catalogue 41)
# says: in-place
-    even, odd = x[:, 0::2], x[:, 1::2]
-    result = np.zeros(x.shape)
+    even, odd = x[:, 0::2].copy(), x[:, 1::2].copy()
+    result = x

# %% wrong: like_the_tokens
# wrong: tokens of integers give integers (catalogue 43)
# says: integers
-    result = np.zeros(x.shape)
+    result = np.zeros_like(x)

# %% wrong: torch_result
# wrong: a torch tensor (catalogue 43)
# says: your function returns a torch tensor
-    return result
+    return torch.from_numpy(result)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
-    return result
+    return result.squeeze()

# %% wrong: tokens_by_position
# wrong: keeps tokens by their position: of those at the same one, the last takes the place of all
# says: yours is
-    even, odd = x[:, 0::2], x[:, 1::2]
+    at = dict(zip(positions.tolist(), x))
+    x = np.array([at[position] for position in positions.tolist()])
+    even, odd = x[:, 0::2], x[:, 1::2]

# %% wrong: counted_on_from_the_first
# wrong: takes the first position and counts on by one
# says: counted on from the first position
# likely: the positions are counted on from the first position by one, whatever the others are
# next: every token has a position of its own: use `positions` as they are
-    angle = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)
+    angle = (positions[0] + np.arange(len(x)))[:, None] / 10000 ** (np.arange(0, d, 2) / d)
