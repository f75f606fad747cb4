# Right and wrong answers to `rotate_heads`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def rotate_heads(x, first=0):
    T, s = x.shape[1:]
    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
    even, odd = x[..., 0::2], x[..., 1::2]                           # (heads, T, s / 2)
    result = torch.empty_like(x)
    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
    return result

# %% right: step_by_step
def rotate_heads(x, first=0):
    T = x.shape[1]
    s = x.shape[2]
    positions = torch.arange(first, first + T)
    exponents = torch.arange(0, s, 2) / s
    angle = positions[:, None] / 100000 ** exponents
    even = x[:, :, 0::2]
    odd = x[:, :, 1::2]
    outputs = torch.zeros_like(x)
    outputs[:, :, 0::2] = even * torch.cos(angle) - odd * torch.sin(angle)
    outputs[:, :, 1::2] = even * torch.sin(angle) + odd * torch.cos(angle)
    return outputs

# %% right: in_one_line
def rotate_heads(x, first=0):
    angle = (first + torch.arange(x.shape[1]))[:, None] * 100000 ** (-torch.arange(0, x.shape[2], 2) / x.shape[2])
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()], dim=-1).flatten(-2)

# %% right: complex_numbers
def rotate_heads(x, first=0):
    heads, T, s = x.shape
    rates = 1.0 / (100000.0 ** (torch.arange(0, s, 2)[: s // 2].float() / s))
    turns = torch.outer(torch.arange(first, first + T), rates)
    turns = torch.polar(torch.ones_like(turns), turns)               # (T, s / 2)
    pairs = torch.view_as_complex(x.reshape(heads, T, s // 2, 2))
    return torch.view_as_real(pairs * turns).flatten(2)

# %% right: with_the_partner
def rotate_heads(x, first=0):
    T, s = x.shape[-2:]
    angle = torch.arange(first, first + T)[:, None] / 1e5 ** (torch.arange(0, s, 2) / s)
    angle = angle.repeat_interleave(2, dim=-1)                       # (T, s): a a b b
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos() + partner * angle.sin()

# %% right: einsum
def rotate_heads(x, first=0):
    heads, T, s = x.shape
    rates = torch.exp(torch.arange(0, s, 2) * (-math.log(100000) / s))
    a = torch.einsum("t,i->ti", torch.arange(first, first + T).float(), rates)
    turn = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
    return torch.einsum("abti,htib->htia", turn, x.reshape(heads, T, -1, 2)).reshape(heads, T, s)

# %% right: loops
def rotate_heads(x, first=0):
    heads, T, s = x.shape
    outputs = torch.zeros(heads, T, s)
    for t in range(T):
        for i in range(s // 2):
            angle = torch.tensor((first + t) / 100000 ** (2 * i / s))
            even = x[:, t, 2 * i]
            odd = x[:, t, 2 * i + 1]
            outputs[:, t, 2 * i] = even * torch.cos(angle) - odd * torch.sin(angle)
            outputs[:, t, 2 * i + 1] = even * torch.sin(angle) + odd * torch.cos(angle)
    return outputs

# %% right: a_matrix_for_each_token
def rotate_heads(x, first=0):
    s = x.shape[2]
    rows = []
    for t in range(x.shape[1]):
        turns = []
        for m in range(0, s, 2):
            a = (first + t) * 100000 ** (-m / s)
            turns.append(torch.tensor([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]))
        rows.append(x[:, t] @ torch.block_diag(*turns).T)            # (heads, s)
    return torch.stack(rows, dim=1)

# %% right: float64_inside
def rotate_heads(x, first=0):
    heads, T, s = x.shape
    wide = x.double()
    angle = torch.arange(first, first + T, dtype=torch.float64).unsqueeze(1) * torch.pow(100000.0, -torch.arange(0, s, 2, dtype=torch.float64) / s)
    result = wide.clone()
    result[..., ::2] = wide[..., ::2] * angle.cos() - wide[..., 1::2] * angle.sin()
    result[..., 1::2] = wide[..., ::2] * angle.sin() + wide[..., 1::2] * angle.cos()
    return result.to(x.dtype)

# %% right: numpy_and_back
def rotate_heads(x, first=0):
    import numpy as np

    heads, T, s = x.shape
    pairs = x.numpy()[..., 0::2] + 1j * x.numpy()[..., 1::2]
    turned = pairs * np.exp(1j * np.outer(first + np.arange(T), 1e5 ** (-np.arange(0, s, 2) / s)))
    return torch.from_numpy(np.stack([turned.real, turned.imag], axis=-1).reshape(heads, T, s)).float()

# %% right: head_by_head
def rotate_heads(x, first=0):
    def rotate(one):
        T, s = one.shape
        a = torch.arange(first, first + T).reshape(-1, 1) / 100000 ** (torch.arange(s // 2) * 2 / s)
        pairs = one.reshape(T, s // 2, 2)
        rotated = torch.stack((pairs[:, :, 0] * a.cos() - pairs[:, :, 1] * a.sin(), pairs[:, :, 1] * a.cos() + pairs[:, :, 0] * a.sin()), 2)
        return rotated.reshape(T, s)

    return torch.stack([rotate(one) for one in x])

# %% wrong: halves
# wrong: component m is paired with m + s/2, as in other published code (catalogue 51)
# says: half a head away
# likely: each component is paired with the component half a head away, not with its neighbour
# next: take the pairs as `x[..., 0::2]` and `x[..., 1::2]`
-    even, odd = x[..., 0::2], x[..., 1::2]                           # (heads, T, s / 2)
-    result = torch.empty_like(x)
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
-    return result
+    even, odd = x.chunk(2, dim=-1)
+    return torch.cat([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()], dim=-1)

# %% wrong: tiled from with_the_partner
# wrong: neighbours are paired, with the angles of halves (catalogue 51)
# says: a b a b
# likely: the row of angles is repeated as a whole, a b a b: the two components of a pair get different angles
# next: use `repeat_interleave(2, dim=-1)`, a a b b, where neighbours are pairs
-    angle = angle.repeat_interleave(2, dim=-1)                       # (T, s): a a b b
+    angle = torch.cat([angle, angle], dim=-1)

# %% wrong: rotate_half from with_the_partner
# wrong: angles of neighbours, and the partner half a head away
# says: the partner
# likely: angles belong to neighbours as pairs, a a b b, but the partner of each component is the one half a head away
# next: the partner of component 2i is 2i + 1, with a minus, and the other way round
-    partner = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
+    partner = torch.cat([-x[..., s // 2:], x[..., :s // 2]], dim=-1)

# %% wrong: side_by_side
# wrong: right pairs, but the results stand one half after the other
# says: one half after the other
# likely: the pairs are rotated right, but the results stand one half after the other: all even components first, then all odd ones
# next: put the two results back where they came from: even components, odd components
-    result = torch.empty_like(x)
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
-    return result
+    return torch.cat([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()], dim=-1)

# %% wrong: backwards
# wrong: the signs of the sines are exchanged (catalogue 51)
# says: the other way round
# likely: each pair is rotated the other way round
# next: the minus stands in the even components: even times cosine minus odd times sine
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
+    result[..., 0::2] = even * angle.cos() + odd * angle.sin()
+    result[..., 1::2] = odd * angle.cos() - even * angle.sin()

# %% wrong: both_plus
# wrong: no minus at all: not a rotation
# says: minus is missing
# likely: the minus is missing: the lengths of the pairs change, so this is no rotation
# next: even components are even times cosine *minus* odd times sine
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
+    result[..., 0::2] = even * angle.cos() + odd * angle.sin()

# %% wrong: sine_and_cosine
# wrong: sine and cosine exchanged
# says: sine and cosine are exchanged
# likely: sine and cosine are exchanged: at position 0 the vectors change already
# next: even components are even times cosine minus odd times sine, odd ones even times sine plus odd times cosine
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
+    result[..., 0::2] = even * angle.sin() - odd * angle.cos()
+    result[..., 1::2] = even * angle.cos() + odd * angle.sin()

# %% wrong: rotated_twice
# wrong: odd components use the even ones that are rotated already
# says: already rotated
# likely: odd components are computed from even ones that are already rotated, which are read from the result
# next: read both from `x`, and write into a tensor of its own
-    even, odd = x[..., 0::2], x[..., 1::2]                           # (heads, T, s / 2)
-    result = torch.empty_like(x)
+    result = x.clone()
+    even, odd = result[..., 0::2], result[..., 1::2]

# %% wrong: in_place
# wrong: writes into the learner's own x (catalogue 41)
# says: `x`
-    result = torch.empty_like(x)
+    even, result = even.clone(), x

# %% wrong: base_of_lesson_5
# wrong: 10000 in place of 100000
# says: 10000
# likely: the angles are those of base 10000
# next: this model's base is 100000
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 10000 ** (torch.arange(0, s, 2) / s)

# %% wrong: first_ignored
# wrong: row 0 always stands at position 0
# says: `first`
# likely: `first` is not used: row 0 always stands at position 0
# next: row t stands at position first + t
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.arange(T)[:, None]

# %% wrong: first_for_all
# wrong: all rows stand at position first
# says: all rows
# likely: all rows are rotated for position `first`
# next: row t stands at position first + t
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.full((T, 1), first)

# %% wrong: from_one
# wrong: positions counted from 1
# says: one position too far
# likely: every row is rotated one position too far
# next: row t stands at position first + t, and at position 0 nothing turns
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.arange(first + 1, first + T + 1)[:, None]

# %% wrong: up_to_T
# wrong: arange(first, T): as many positions as there are rows only where first is 0
# says: count up to a number that is smaller
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.arange(first, T)[:, None]

# %% wrong: number_of_the_pair
# wrong: exponent i / s with i the pair, for 2i / s
# says: the exponent is i / s
# likely: the exponent is i / s, with i the number of the pair
# next: use 2i / s: the number of the even component over s
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 ** (torch.arange(s // 2) / s)

# %% wrong: doubled_exponent
# wrong: exponent 2c / s with c the even component
# says: twice the component's number
# likely: the exponent uses twice the component's number
# next: use the number of the even component itself: that is 2i
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 ** (2 * torch.arange(0, s, 2) / s)

# %% wrong: own_angle_for_each_component from with_the_partner
# wrong: each component has an angle of its own
# says: an angle of its own
# likely: each component has an angle of its own: the two of a pair turn by different angles
# next: components 2i and 2i + 1 share the angle t / 100000 ** (2i / s)
-    angle = torch.arange(first, first + T)[:, None] / 1e5 ** (torch.arange(0, s, 2) / s)
-    angle = angle.repeat_interleave(2, dim=-1)                       # (T, s): a a b b
+    angle = torch.arange(first, first + T)[:, None] / 1e5 ** (torch.arange(s) / s)

# %% wrong: one_angle_for_all_pairs
# wrong: all pairs turn at the same rate
# says: all pairs turn at the same rate
# likely: all pairs turn at the same rate
# next: divide the position by 100000 ** (2i / s), with i the number of the pair
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions.float()

# %% wrong: multiplied
# wrong: multiplies by the power in place of dividing
# says: the angle grows with the exponent
# likely: the angle grows with the exponent
# next: divide the position by the power of 100000, do not multiply
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions * 100000 ** (torch.arange(0, s, 2) / s)

# %% wrong: exponent_of_the_fraction
# wrong: (positions / 100000) to the power, the parentheses are in another place
# says: before the power is taken
# likely: the position is divided by 100000 before the power is taken
# next: `**` comes before `/`: write `positions / 100000 ** exponents`
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = (positions / 100000) ** (torch.arange(0, s, 2) / s)

# %% wrong: degrees
# wrong: degrees in place of radians
# says: degrees
# likely: the angle is taken for degrees and made into radians
# next: position / 100000 ** (2i / s) is in radians already
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = torch.deg2rad(positions / 100000 ** (torch.arange(0, s, 2) / s))

# %% wrong: full_turns
# wrong: the angle is multiplied by 2π
# says: multiplied by 2π
# likely: the angle is multiplied by 2π
# next: the angle in radians is position / 100000 ** (2i / s), without a factor
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = 2 * math.pi * positions / 100000 ** (torch.arange(0, s, 2) / s)

# %% wrong: tokens_for_components
# wrong: the exponent is divided by T
# says: T
# likely: the exponent is divided by T, the number of tokens, not by s
# next: the exponent is 2i / s, with s the number of components
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 ** (torch.arange(0, s, 2) / T)

# %% wrong: added
# wrong: adds sines and cosines, as lesson 5 did with positions
# says: added
# likely: sines and cosines are added to x, as lesson 5 does: nothing is rotated
# next: multiply: even times cosine minus odd times sine
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
+    result[..., 0::2] = even + angle.sin()
+    result[..., 1::2] = odd + angle.cos()

# %% wrong: even_alone
# wrong: odd components stay as they were
# says: odd components
# likely: the odd components stay as they are in x
# next: rotate both: odd components become even times sine plus odd times cosine
-    result = torch.empty_like(x)
+    result = x.clone()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()

# %% wrong: odd_first from complex_numbers
# wrong: takes the odd component for the real part
# says: the other way round
-    pairs = torch.view_as_complex(x.reshape(heads, T, s // 2, 2))
-    return torch.view_as_real(pairs * turns).flatten(2)
+    pairs = torch.complex(x[..., 1::2], x[..., 0::2]) * turns
+    return torch.stack([pairs.imag, pairs.real], dim=-1).flatten(2)

# %% wrong: positions_of_heads
# wrong: counts heads in place of tokens
# says: heads
# likely: each head is rotated by its own number, and all its tokens by the same angle
# next: positions belong to tokens, axis 1: a row of angles for each, `(T, s / 2)`
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.arange(first, first + len(x))[:, None, None]

# %% wrong: whole_numbers
# wrong: integer division, so that most angles are 0
# says: whole numbers
# likely: angles are rounded down to whole numbers, as `//` does
# next: divide with `/`
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions // 100000 ** (torch.arange(0, s, 2) / s)

# %% wrong: half_precision
# wrong: positions and angles in float16, which loses large positions (catalogue 43)
# says: ✗
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = (positions / 100000 ** (torch.arange(0, s, 2) / s)).half().float()

# %% wrong: angles_kept
# wrong: keeps the angles of the first call for each shape, whatever `first` is
# says: between calls
ANGLES = {}

def rotate_heads(x, first=0):
    T, s = x.shape[1:]
    if (T, s) not in ANGLES:
        ANGLES[T, s] = torch.arange(first, first + T)[:, None] / 100000 ** (torch.arange(0, s, 2) / s)
    angle = ANGLES[T, s]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()], dim=-1).flatten(-2)

# %% wrong: prints
# wrong: prints and returns nothing (catalogue 43)
# says: returns None
-    return result
+    print(result)

# %% wrong: from_one_whatever_first_is
# wrong: row t always stands at position t + 1
# says: whatever `first` is
# likely: row t is rotated for position t + 1, whatever `first` is
# next: row t stands at position first + t
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
+    positions = torch.arange(1, T + 1)[:, None]

# %% wrong: evenly_up_to_one
# wrong: linspace from 0 to 1, whose last number is 1
# says: from 0 to 1
# likely: the exponents go evenly from 0 to 1: the last pair has exponent 1
# next: the exponents are 0, 2 ... s − 2, divided by s: `torch.arange(0, s, 2) / s`
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 ** torch.linspace(0, 1, s // 2)

# %% wrong: pairs_from_one
# wrong: counts pairs from 1
# says: pairs are counted from 1
# likely: pairs are counted from 1, so the first has exponent 2 / s
# next: the first pair has exponent 0: `torch.arange(0, s, 2) / s`
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 ** (2 * torch.arange(1, s // 2 + 1) / s)

# %% wrong: nearly_nothing
# wrong: a factor in place of a power: all angles are nearly 0
# says: nearly 0
# likely: all angles are nearly 0, so that hardly anything is rotated: look for `*` in place of `**`, or a fraction the wrong way round
# next: print the angles: at position 1, the first pair has angle 1
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    angle = positions / 100000 * (torch.arange(0, s, 2) / s)

# %% wrong: written_exchanged
# wrong: writes the results of even components into odd places
# says: the two results are exchanged
# likely: the two results are exchanged: even components hold what belongs in the odd ones
# next: even components are even times cosine minus odd times sine
-    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
-    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
+    result[..., 1::2] = even * angle.cos() - odd * angle.sin()
+    result[..., 0::2] = even * angle.sin() + odd * angle.cos()

# %% wrong: halves_read
# wrong: takes halves as pairs, and writes them as neighbours
# says: the two halves of a head
# likely: pairs are read from the two halves of a head, and written to neighbouring components
# next: read them where they are written: `x[..., 0::2]` and `x[..., 1::2]`
-    even, odd = x[..., 0::2], x[..., 1::2]                           # (heads, T, s / 2)
+    even, odd = x[..., :s // 2], x[..., s // 2:]

# %% wrong: first_added_to_the_angle
# wrong: first is added to the angles, not to the positions
# says: added to the angles
# likely: `first` is added to the angles of all pairs, and not to the positions before they are divided
# next: row t stands at position first + t: add before you divide
-    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
-    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
+    positions = torch.arange(T)[:, None]
+    angle = positions / 100000 ** (torch.arange(0, s, 2) / s) + first
