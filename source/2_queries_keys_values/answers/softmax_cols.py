# Right and wrong answers to `softmax_cols`; authoring/README.md says how they are written.

# %% right: column_by_column
def softmax_cols(scores):
    result = np.zeros(scores.shape)
    for n in range(scores.shape[1]):
        powers = np.exp(scores[:, n] - max(scores[:, n]))
        result[:, n] = powers / sum(powers)
    return result

# %% right: keepdims
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)

# %% right: log_space
def softmax_cols(scores):
    return np.exp(scores - np.logaddexp.reduce(scores.astype(float), axis=0))

# %% right: rows_and_back
def softmax_cols(scores):
    return softmax_rows(scores.T).T

# %% right: template_with_tile
def softmax_cols(data_in):
    # the form of a well-known notebook, with the maximum subtracted
    exp_values = np.exp(data_in - np.tile(data_in.max(axis=0), (data_in.shape[0], 1)))
    denom = np.sum(exp_values, axis=0)
    denom = np.matmul(np.ones((data_in.shape[0], 1)), denom[np.newaxis, :])
    return exp_values / denom

# %% right: torch
def softmax_cols(scores):
    return torch.nn.functional.softmax(torch.tensor(scores, dtype=torch.float64), dim=0).numpy()

# %% right: without_keepdims
def softmax_cols(scores):
    # down the columns the shapes line up without keepdims
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)

# %% wrong: changes_input
# wrong: subtracts in place (catalogue 41)
# says: in-place operation
def softmax_cols(scores):
    scores -= scores.max(axis=0)
    e = np.exp(scores)
    return e / e.sum(axis=0)

# %% wrong: clipped
# wrong: clips large scores, so they all count the same (catalogue 7)
# says: the largest difference
def softmax_cols(scores):
    e = np.exp(np.clip(scores, -500, 500))
    return e / e.sum(axis=0)

# %% wrong: fixed_size
# wrong: goes over three columns, whatever comes (catalogue 42)
# says: an axis that the array does not have
def softmax_cols(scores):
    result = np.empty(scores.shape)
    for n in range(3):
        e = np.exp(scores[:, n] - scores[:, n].max())
        result[:, n] = e / e.sum()
    return result

# %% wrong: integer_result
# wrong: stores into whole numbers when the scores are whole (catalogue 43)
# says: cuts off all decimals
def softmax_cols(scores):
    result = np.zeros_like(scores)
    e = np.exp(scores - scores.max(axis=0))
    result[:] = e / e.sum(axis=0)
    return result

# %% wrong: last_axis_sum_without_keepdims
# wrong: the sums of the rows line up with the columns (catalogue 6)
# says: not divided by their own column's sum
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=1)

# %% wrong: maximum_of_everything
# wrong: subtracts one maximum for all columns (catalogue 8)
# says: nan or inf
def softmax_cols(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=0)

# %% wrong: maximum_of_the_rows
# wrong: subtracts the maximum of each row, which does not cancel (catalogue 8)
# says: a maximum of the other axis is subtracted
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=0)

# %% wrong: over_all_entries
# wrong: one sum for everything (catalogue 2)
# says: the whole matrix sums to 1.00
def softmax_cols(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: the numbers were rounded
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return np.round(e / e.sum(axis=0), 3)

# %% wrong: rows
# wrong: normalises along the rows (catalogue 1)
# says: rows to 1.00
def softmax_cols(scores):
    return softmax_rows(scores)

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return (e / e.sum(axis=0)).squeeze()

# %% wrong: transposed
# wrong: the right columns, returned as rows (catalogue 19)
# says: rows to 1.00
def softmax_cols(scores):
    e = np.exp(scores - scores.max(axis=0))
    return (e / e.sum(axis=0)).T

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: the smallest weight is
def softmax_cols(scores):
    return scores / scores.sum(axis=0)

# %% wrong: without_maximum
# wrong: nan for large scores (catalogue 7)
# says: nan or inf
def softmax_cols(scores):
    e = np.exp(scores)
    return e / e.sum(axis=0)

# %% wrong: without_sum
# wrong: returns the exponentials (catalogue 5)
# says: not divided by their own column's sum
def softmax_cols(scores):
    return np.exp(scores - scores.max(axis=0))
