# Right and wrong answers to `repaired_attention`; authoring/README.md says how they are written.

# %% right: by_hand
def repaired_attention(x, w_query, w_key, w_value):
    s = (x @ w_query) @ (x @ w_key).T
    e = np.exp(s - np.max(s, axis=1)[:, None])
    return (e @ (x @ w_value)) / np.sum(e, axis=1)[:, None]

# %% right: einsum
def repaired_attention(x, w_query, w_key, w_value):
    q, k, v = (np.einsum("ti,id->td", x, w) for w in (w_query, w_key, w_value))
    return np.einsum("ij,jd->id", softmax_rows(np.einsum("id,jd->ij", q, k)), v)

# %% right: row_by_row
def repaired_attention(x, w_query, w_key, w_value):
    rows = []
    for token in x:
        s = (x @ w_key) @ (token @ w_query)
        e = np.exp(s - s.max())
        rows.append(e / e.sum() @ (x @ w_value))
    return np.stack(rows)

# %% right: still_transposed
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    shares = softmax_cols(keys @ queries.T)   # keys down, queries across
    return shares.T @ values

# %% right: torch
def repaired_attention(x, w_query, w_key, w_value):
    x, q, k, v = (torch.tensor(a, dtype=torch.float64) for a in (x, w_query, w_key, w_value))
    return (torch.softmax((x @ q) @ (x @ k).T, dim=-1) @ (x @ v)).numpy()

# %% right: two_changes
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    scores = queries @ keys.T
    shares = softmax_rows(scores)
    return shares @ values

# %% right: values_last
def repaired_attention(x, w_query, w_key, w_value):
    return softmax_rows(x @ w_query @ w_key.T @ x.T) @ x @ w_value

# %% wrong: axis_left
# wrong: repairs the values only (catalogue 1)
# says: the wrong groups still sum to one
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    return softmax_rows((queries @ keys.T).T).T @ values

# %% wrong: changes_input
# wrong: centres x in place (catalogue 41)
# says: in-place operation
def repaired_attention(x, w_query, w_key, w_value):
    y = softmax_rows(x @ w_query @ (x @ w_key).T) @ (x @ w_value)
    x -= x.mean(axis=0)
    return y

# %% wrong: maximum_of_everything
# wrong: subtracts the largest of all scores (catalogue 8)
# says: nan or inf
def repaired_attention(x, w_query, w_key, w_value):
    s = x @ w_query @ (x @ w_key).T
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)

# %% wrong: nothing_repaired
# wrong: is the faulty code (catalogue 1, 15)
# says: neither of the two lines is repaired
def repaired_attention(x, w_query, w_key, w_value):
    return reviewed_attention(x, w_query, w_key, w_value)

# %% wrong: one_transpose_left
# wrong: takes only one of the two transposes away (catalogue 16)
# says: one of the two transposes is left
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    return softmax_rows((queries @ keys.T).T) @ values

# %% wrong: other_transpose_left
# wrong: takes only the other transpose away (catalogue 20)
# says: one of the two transposes is left
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    return softmax_rows(queries @ keys.T).T @ values

# %% wrong: role_left
# wrong: repairs the axis only (catalogue 15)
# says: the inputs are mixed instead of the values
def repaired_attention(x, w_query, w_key, w_value):
    queries, keys = x @ w_query, x @ w_key
    return softmax_rows(queries @ keys.T) @ x

# %% wrong: scaled_too
# wrong: adds a scaling nobody asked for (catalogue 14)
# says: the scores were scaled
def repaired_attention(x, w_query, w_key, w_value):
    return softmax_rows(x @ w_query @ (x @ w_key).T / np.sqrt(w_key.shape[1])) @ (x @ w_value)

# %% wrong: squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: only the hidden tests see it
def repaired_attention(x, w_query, w_key, w_value):
    return np.squeeze(softmax_rows(x @ w_query @ (x @ w_key).T) @ (x @ w_value))

# %% wrong: value_after_input
# wrong: projects x twice: works for no size but the square one (catalogue 15)
# says: the largest difference
def repaired_attention(x, w_query, w_key, w_value):
    shares = softmax_rows(x @ w_query @ (x @ w_key).T)
    return shares @ (x @ w_value @ w_value) if w_value.shape[0] == w_value.shape[1] else shares @ (x @ w_value)

# %% wrong: without_maximum
# wrong: its own softmax overflows (catalogue 7)
# says: nan or inf
def repaired_attention(x, w_query, w_key, w_value):
    e = np.exp(x @ w_query @ (x @ w_key).T)
    return e / e.sum(axis=1, keepdims=True) @ (x @ w_value)
