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

# %% wrong: changes_input
# wrong: subtracts in place (catalogue 41)
# says: an in-place operation on the argument
def repaired_weights(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)

# %% wrong: divides_twice
# wrong: divides by the number of rows as well
# says: rows sum to 0.33
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
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

# %% wrong: still_faulty
# wrong: repairs nothing (catalogue 2)
# says: the whole matrix sums to 1.00
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
# says: rows sum to
def repaired_weights(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)
