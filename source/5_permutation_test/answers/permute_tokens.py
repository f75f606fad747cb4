# Right and wrong answers to `permute_tokens`; authoring/README.md says how they are written.

# %% right: filled_in
def permute_tokens(x, permutation):
    result = np.empty_like(x)
    for i, source in enumerate(permutation):
        result[i] = x[source]
    return result

# %% right: index
def permute_tokens(x, permutation):
    return x[np.array(permutation)]

# %% right: inverse_scatter
def permute_tokens(x, permutation):
    result = x.copy()
    result[np.argsort(permutation)] = x
    return result

# %% right: loop
def permute_tokens(x, permutation):
    return np.array([x[i] for i in permutation])

# %% right: matrix
def permute_tokens(x, permutation):
    P = np.eye(len(x), dtype=x.dtype)[list(permutation)]
    return P @ x

# %% right: stack
def permute_tokens(x, permutation):
    rows = list(x)
    return np.stack([rows[int(i)] for i in permutation])

# %% right: take
def permute_tokens(x, permutation):
    return np.take(x, permutation, axis=0)

# %% right: slice_after_the_permutation
def permute_tokens(x, permutation):
    return x[permutation, :]

# %% right: broadcast_take_along_axis
def permute_tokens(x, permutation):
    rows = np.array(permutation, dtype=int)[:, None]
    return np.take_along_axis(x, rows, axis=0)

# %% right: joined_slices
def permute_tokens(x, permutation):
    return np.concatenate([x[p:p + 1] for p in map(int, permutation)])

# %% wrong: both_axes
# wrong: permutes rows and columns (catalogue 47)
# says: your code raised IndexError
# likely: columns are permuted where only rows should be
# next: permute the first axis: tokens are rows
def permute_tokens(x, permutation):
    order = list(permutation)
    return x[order][:, order]

# %% wrong: features
# wrong: permutes the columns (catalogue 47)
# says: your code raised IndexError
# likely: the columns are permuted, not the rows
# next: permute the first axis: tokens are rows
def permute_tokens(x, permutation):
    return x[:, list(permutation)]

# %% wrong: features_if_they_fit
# wrong: permutes as many columns as there are (catalogue 47)
# says: as many as there are
# likely: the columns are permuted, as many as there are
# next: compare that step with *Pseudocode* in the card
def permute_tokens(x, permutation):
    order = [i for i in permutation if i < x.shape[1]]
    return x[:, order]

# %% wrong: floats
# wrong: makes floats of integers (catalogue 43)
# says: on the way, an array of another type is made, or
def permute_tokens(x, permutation):
    result = np.zeros(x.shape)
    for i, j in enumerate(permutation):
        result[i] = x[j]
    return result

# %% wrong: in_place
# wrong: writes the new order into x (catalogue 41)
# says: an in-place operation
def permute_tokens(x, permutation):
    x[:] = x[list(permutation)]
    return x

# %% wrong: inverse
# wrong: the inverse permutation (catalogue 47)
# says: the other way round
def permute_tokens(x, permutation):
    return x[np.argsort(permutation)]

# %% wrong: list_result
# wrong: returns a list (catalogue 43)
# says: your function returns a list
def permute_tokens(x, permutation):
    return [x[i] for i in permutation]

# %% wrong: other_direction
# wrong: scatters instead of gathering (catalogue 47)
# says: the other way round
# likely: the permutation is used the other way round: row i goes to place permutation[i]
# next: take row i of the result *from* row permutation[i]
def permute_tokens(x, permutation):
    result = np.empty_like(x)
    result[list(permutation)] = x
    return result

# %% wrong: random
# wrong: draws a permutation of its own (catalogue 42)
# says: the rows are the expected ones in a different order
def permute_tokens(x, permutation):
    return x[np.random.RandomState(1).permutation(len(x))]

# %% wrong: reversed
# wrong: reverses the rows
# says: the rows are reversed
# likely: the rows are reversed, whatever the permutation says
# next: use the permutation
def permute_tokens(x, permutation):
    return x[::-1]

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
def permute_tokens(x, permutation):
    return np.squeeze(x[list(permutation)])

# %% wrong: swaps_in_place
# wrong: swaps rows one after the other: later swaps undo earlier ones
# says: move rows that were in their places
# likely: rows are swapped one after the other, so later swaps move rows that were in their places already
# next: take each row from x, and write it into another array: `result[i] = x[permutation[i]]`
def permute_tokens(x, permutation):
    y = x.copy()
    for i, j in enumerate(permutation):
        y[[i, j]] = y[[j, i]]
    return y

# %% wrong: tuple_as_index
# wrong: uses the tuple as an index of axes
# says: one index per axis
def permute_tokens(x, permutation):
    return x[permutation]

# %% wrong: unchanged
# wrong: shuffles a copy and returns x (catalogue 47)
# says: the rows are where they were
# likely: the rows are where they were
# next: return the rows in the new order
def permute_tokens(x, permutation):
    moved = x.copy()
    moved = moved[list(permutation)]
    return x

# %% wrong: large_numbers_by_way_of_float
# wrong: whole numbers go through float64, which cannot hold the large ones (catalogue 43)
# says: on their way, the numbers have another type, which cannot hold
def permute_tokens(x, permutation):
    result = np.zeros(x.shape)
    result[:] = x[list(permutation)]
    return result.astype(x.dtype)

# %% wrong: small_row_numbers
# wrong: row numbers in 8 bits wrap round from 129 tokens on
# says: for a permutation that is a list, shape (300, 2), 53%
def permute_tokens(x, permutation):
    return x[np.array(permutation).astype(np.int8)]

# %% wrong: empties_the_callers_list
# wrong: takes the numbers out of the caller's list (catalogue 41)
# says: changed
def permute_tokens(x, permutation):
    order = permutation if isinstance(permutation, list) else list(permutation)
    rows = []
    while order:
        rows.append(x[order.pop(0)])
    return np.array(rows, dtype=x.dtype)

# %% wrong: kinds_widened
# wrong: goes through Python's numbers, so smaller types come back as larger ones (catalogue 43)
# says: on the way, an array of another type is made, or
def permute_tokens(x, permutation):
    return np.array([x[i].tolist() for i in permutation])

# %% right: by_loops
def permute_tokens(x, permutation):
    rows = np.zeros_like(x)
    for i in range(len(x)):
        rows[i] = x[permutation[i]]
    return rows

# %% wrong: one_cycle
# wrong: follows the permutation from row 0 until it is back there
# says: two pairs that change places
def permute_tokens(x, permutation):
    result, place = x.copy(), 0
    while True:
        result[place] = x[permutation[place]]
        place = permutation[place]
        if place == 0:
            return result

# %% wrong: result_is_x
# wrong: no copy is made: later rows are taken from rows that were written over
# says: rows are read after they were overwritten
# likely: rows are read after they were overwritten: they are taken from the array into which they are written
# next: take the rows from `x`, and write them into an array of its own: `np.empty_like(x)`
-    result = np.empty_like(x)
+    result = x
