# Right and wrong answers to `repaired_weights`; authoring/README.md says how they are written.

# %% right: log_space
def repaired_weights(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.exp(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))

# %% right: logaddexp
def repaired_weights(scores):
    return np.exp(scores - np.logaddexp.reduce(scores.astype(float), axis=1)[:, None])

# %% right: new_axis
def repaired_weights(scores):
    e = np.exp(scores - np.max(scores, axis=-1)[:, np.newaxis])
    return e / np.sum(e, axis=-1)[:, None]

# %% right: row_by_row
def repaired_weights(scores):
    rows = []
    for row in scores:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows)

# %% right: torch
def repaired_weights(scores):
    return torch.softmax(torch.from_numpy(scores * 1.0), dim=1).numpy()

# %% right: transposed_twice
def repaired_weights(scores):
    columns = scores.T - scores.T.max(axis=0)
    e = np.exp(columns)
    return (e / e.sum(axis=0)).T

# %% right: two_changes
def repaired_weights(scores):
    highest = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - highest)
    total = e.sum(axis=1, keepdims=True)
    return e / total

# %% right: diagonal_times_rows
def repaired_weights(scores):
    highest = np.array([max(row) for row in scores])
    e = np.exp(scores - highest[:, np.newaxis])
    total = e @ np.ones(e.shape[1])
    return np.diag(1 / total) @ e

# %% right: faulty_code_for_each_row
def repaired_weights(scores):
    def of_one_row(scores):
        highest = scores.max()           # line 1
        e = np.exp(scores - highest)     # line 2
        total = e.sum()                  # line 3
        return e / total                 # line 4

    return np.array([of_one_row(row) for row in scores])

# %% right: own_softmax
def repaired_weights(scores):
    return softmax(scores, axis=1)

# %% wrong: changes_input
# wrong: subtracts in place (catalogue 41)
# says: an in-place operation on the argument
def repaired_weights(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)

# %% wrong: divides_twice
# wrong: divides by the number of rows as well
# says: every entry is 1/n times the expected one, where n is the length of axis 0 of `scores`
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) / len(scores)

# %% wrong: no_maximum
# wrong: drops the maximum altogether (catalogue 7)
# says: nan or inf
def repaired_weights(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)

# %% wrong: over_queries
# wrong: gives both reductions the axis of the queries (catalogue 1)
# says: you normalised over queries
# likely: you normalised over queries: the softmax runs down the columns, or rows and columns are swapped
# next: each row is one query; which axis indexes the keys? Take the softmax along that axis
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

# %% wrong: still_faulty
# wrong: repairs nothing (catalogue 2)
# says: the whole matrix sums to 1.00
# likely: the whole matrix is still divided by one total
# next: give the total one value per row
def repaired_weights(scores):
    highest = scores.max()
    e = np.exp(scores - highest)
    total = e.sum()
    return e / total

# %% wrong: sum_left
# wrong: repairs the trap and leaves the sum (catalogue 2)
# says: the whole matrix sums to 1.00
def repaired_weights(scores):
    highest = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - highest)
    total = e.sum()
    return e / total

# %% wrong: trap_left
# wrong: repairs the sum and leaves the trap (catalogue 8)
# says: nan or inf
def repaired_weights(scores):
    highest = scores.max()
    e = np.exp(scores - highest)
    total = e.sum(axis=-1, keepdims=True)
    return e / total

# %% wrong: without_keepdims
# wrong: forgets keepdims: another row's numbers (catalogue 6)
# says: the division uses the sum of another row: sums of
# likely: the division uses the sum of another row: sums of shape (T,) line up with the columns
# next: keep the axis that you sum over: `keepdims=True`
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)

# %% wrong: longer_floats
# wrong: longer floats put the trap off, no more (catalogue 7)
# says: `wide.max()`, in line 3, is one number for the whole table
def repaired_weights(scores):
    wide = scores.astype(np.longdouble)
    e = np.exp(wide - wide.max())
    total = e.sum(axis=1, keepdims=True)
    return (e / total).astype(float)

# %% wrong: one_row_one_list
# wrong: squeeze() drops the axis of a single query (catalogue 46)
# says: the numbers are right, but an axis of length 1 is
def repaired_weights(scores):
    highest = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - highest)
    total = e.sum(axis=1, keepdims=True)
    return np.squeeze(e / total)

# %% wrong: shift_and_shift_back
# wrong: shifts the caller's array and shifts it back, which rounds (catalogue 41)
# says: an in-place operation on the argument
def repaired_weights(scores):
    highest = scores.max(axis=1, keepdims=True)
    scores -= highest
    e = np.exp(scores)
    scores += highest
    return e / e.sum(axis=1, keepdims=True)

# %% wrong: equal_shares_for_lost_rows
# wrong: fills lost rows with equal weights
# says: one row near 1 and one near 900
def repaired_weights(scores):
    e = np.exp(scores - scores.max())
    total = e.sum(axis=1, keepdims=True)
    equal = np.full(e.shape, 1 / e.shape[1])
    return np.divide(e, total, out=equal, where=total > 0)

# %% wrong: diagonal_shift
# wrong: takes the diagonal of a square matrix for the largest of each row (catalogue 8)
# says: with `scores.max(axis=1, keepdims=True)` in every case
def repaired_weights(scores):
    T, S = scores.shape
    highest = np.diag(scores)[:, None] if T == S else scores.max(axis=1, keepdims=True)
    e = np.exp(scores - highest)
    return e / e.sum(axis=1, keepdims=True)

# %% wrong: square_axis
# wrong: takes the longer axis for that of the keys (catalogue 1)
# says: for scores, shape (7, 5)
def repaired_weights(scores):
    axis = 0 if scores.shape[0] > scores.shape[1] else 1
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

# %% wrong: remembered_by_their_sum
# wrong: keeps results by shape and sum of the scores
# says: `known={}` in line 1, a default, is made only once and
def repaired_weights(scores, known={}):
    key = (scores.shape, float(scores.sum()))
    if key not in known:
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        known[key] = e / e.sum(axis=1, keepdims=True)
    return known[key].copy()

# %% right: step_by_step
def repaired_weights(scores):
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=1, keepdims=True)
    weights = powers / totals
    return weights
