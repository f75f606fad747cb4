# Right and wrong answers to `to_halves`; authoring/README.md says how they are written.

# %% right: concatenate
def to_halves(w):
    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)

# %% right: list_of_columns
def to_halves(w):
    d = w.shape[1]
    return w[:, list(range(0, d, 2)) + list(range(1, d, 2))]

# %% right: by_pairs
def to_halves(w):
    rows, d = w.shape
    return w.reshape(rows, d // 2, 2).transpose(0, 2, 1).reshape(rows, d)

# %% right: by_loops
def to_halves(w):
    rows, d = w.shape
    result = np.zeros_like(w)
    for i in range(d // 2):
        result[:, i] = w[:, 2 * i]
        result[:, i + d // 2] = w[:, 2 * i + 1]
    return result

# %% right: stacked_columns
def to_halves(w):
    columns = list(w.T)
    return np.stack(columns[0::2] + columns[1::2], axis=1)

# %% right: matrix
def to_halves(w):
    d = w.shape[1]
    return w @ np.eye(d)[:, np.argsort(np.arange(d) % 2, kind="stable")]

# %% right: order_of_fortran
def to_halves(w):
    return np.array([row.reshape(-1, 2).flatten(order="F") for row in w])

# %% right: torch
def to_halves(w):
    return torch.from_numpy(w.copy()).unflatten(1, (-1, 2)).mT.flatten(1).numpy()

# %% wrong: back_to_neighbours
# wrong: the way back: halves to neighbours; the same for four columns (catalogue 51)
# says: the other way round
# likely: the columns are moved the other way round: from halves to neighbours
# next: column 0 stays, and column 2 becomes column 1
def to_halves(w):
    d = w.shape[1]
    return w[:, np.arange(d).reshape(2, d // 2).T.flatten()]

# %% wrong: odd_ones_first
# wrong: the odd columns come first
# says: the odd columns come first
# likely: the odd columns come first
# next: first the columns 0, 2, 4, then the columns 1, 3, 5
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return np.concatenate([w[:, 1::2], w[:, 0::2]], axis=1)

# %% wrong: rows
# wrong: the rows are moved, and not the columns (catalogue 47)
# says: the rows are moved
# likely: the rows are moved, and not the columns
# next: take `w[:, 0::2]`: the first index is the row, the second the column
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return np.concatenate([w[0::2], w[1::2]], axis=0)

# %% wrong: neighbours_exchanged
# wrong: the two columns of each pair change places
# says: change places
# likely: the two columns of each pair change places
# next: put all first columns of the pairs in front, then all second ones
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return w[:, np.arange(w.shape[1]).reshape(-1, 2)[:, ::-1].flatten()]

# %% wrong: halves_exchanged
# wrong: the two halves change places
# says: the two halves change places
# likely: the two halves change places
# next: take every second column: `w[:, 0::2]`
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return np.roll(w, w.shape[1] // 2, axis=1)

# %% wrong: unchanged
# wrong: the moved matrix is thrown away
# says: the columns are where they were
# likely: the columns are where they were
# next: return the moved matrix
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return w

# %% wrong: stacked
# wrong: the halves are stacked on an axis of their own (catalogue 46)
# says: shape
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return np.stack([w[:, 0::2], w[:, 1::2]], axis=1)

# %% wrong: in_place
# wrong: writes into the matrix (catalogue 41)
# says: in-place
-    return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    w[:] = np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)
+    return w
