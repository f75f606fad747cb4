# Right and wrong answers to `weighted_values`; authoring/README.md says how they are written.

# %% right: broadcasting
def weighted_values(weights, values):
    return weights[:, :, None] * values[None, :, :]

# %% right: comprehension
def weighted_values(weights, values):
    return np.array([[w * v for w, v in zip(row, values)] for row in weights])

# %% right: einsum
def weighted_values(weights, values):
    return np.einsum("ij,jd->ijd", weights, values)

# %% right: expand_dims
def weighted_values(weights, values):
    return np.multiply(np.expand_dims(weights, -1), values)

# %% right: keys_first
def weighted_values(weights, values):
    # the well-known way: keys first, then the axes are exchanged
    return (values[:, None] * weights.T[:, :, None]).transpose(1, 0, 2)

# %% right: reshape
def weighted_values(weights, values):
    T = len(values)
    return weights.reshape(T, T, 1) * values.reshape(1, T, -1)

# %% right: torch
def weighted_values(weights, values):
    w, v = (torch.as_tensor(np.asarray(part, dtype=float)) for part in (weights, values))
    return (w.unsqueeze(-1) * v.unsqueeze(0)).numpy()

# %% right: two_loops
def weighted_values(weights, values):
    T, d_v = values.shape
    z = np.zeros((T, T, d_v))
    for i in range(T):
        for j in range(T):
            z[i, j] = weights[i, j] * values[j]
    return z

# %% right: components_first
def weighted_values(weights, values):
    z = values.T[:, np.newaxis, :] * weights        # (d_v, T query, T key)
    return np.moveaxis(z, 0, -1)

# %% right: tiled
def weighted_values(weights, values):
    T, d_v = values.shape
    return np.repeat(weights, d_v).reshape(T, T, d_v) * np.tile(values, (T, 1)).reshape(T, T, d_v)

# %% right: vectorized
weighted_values = np.vectorize(lambda row, values: row[:, None] * values, signature="(k),(k,d)->(k,d)")

# %% wrong: already_summed
# wrong: returns the sum already
# says: the result is the expected one summed over axis 1
def weighted_values(weights, values):
    return weights @ values

# %% wrong: changes_input
# wrong: normalises the weights in place (catalogue 41)
# says: in-place operation
def weighted_values(weights, values):
    z = weights[:, :, None] * values
    weights /= weights.sum(axis=0)
    return z

# %% wrong: elementwise
# wrong: multiplies (T, T) with (T, d_v) entry by entry (catalogue 21)
# says: multiplied entry by entry, without new axes
# likely: weights and values are multiplied entry by entry, without new axes: a weight multiplies a number of its own row, not a value
# next: give both three axes: `weights[:, :, None]` and `values[None]`
def weighted_values(weights, values):
    return weights * values

# %% wrong: fixed_sizes
# wrong: takes three tokens for granted (catalogue 42)
# says: your code has the number 3, in `weights.reshape(3, 3, 1)`, line
def weighted_values(weights, values):
    return weights.reshape(3, 3, 1) * values[None]

# %% wrong: integers
# wrong: fills an array of whole numbers when the values are whole (catalogue 43)
# says: with the same numbers as decimals, the result is right
def weighted_values(weights, values):
    z = np.zeros((len(values), *values.shape), dtype=values.dtype if values.dtype.kind == "i" else float)
    z[:] = weights[:, :, None] * values
    return z

# %% wrong: keys_first
# wrong: the first axis is the key (catalogue 19)
# says: the first axis is the key
# likely: the first axis is the key: all entries are right, but the two token axes are swapped
# next: swap the first two axes: entry `[i, j]` belongs to query i
def weighted_values(weights, values):
    return values[:, None] * weights.T[:, :, None]

# %% wrong: list_of_lists
# wrong: returns nested lists (catalogue 43)
# says: your function returns a list
def weighted_values(weights, values):
    return [[w * v for w, v in zip(row, values)] for row in weights]

# %% wrong: no_new_axes
# wrong: multiplies without new axes (catalogue 21)
# says: the axes are there, but
# likely: the axes are there, but the weights line up with the components of a value instead of the tokens
# next: put the new axis of the weights at the end: `weights[:, :, None]`
def weighted_values(weights, values):
    return weights[:, None, :] * values

# %% wrong: number_first
# wrong: puts the numbers first (catalogue 19)
# says: the components of a value are the first axis
# likely: the components of a value are the first axis
# next: use the axes of the card: query, key, component, in this order
def weighted_values(weights, values):
    return np.einsum("ij,jd->dij", weights, values)

# %% wrong: rounds_weights
# wrong: rounds the weights first, as the page does (catalogue 50)
# says: the weights are rounded before
# likely: the weights are rounded before they are used
# next: use exact weights; round only when you print
def weighted_values(weights, values):
    return np.round(weights, 1)[:, :, None] * values

# %% wrong: squeezed
# wrong: drops the axes of a single token (catalogue 46)
# says: removes every axis of length 1
def weighted_values(weights, values):
    return np.squeeze(weights[:, :, None] * values)

# %% wrong: value_of_the_query
# wrong: multiplies with the value of the query, i instead of j (catalogue 15)
# says: the value of the query is used
# likely: the value of the query is used: `values[i]` instead of `values[j]`
# next: put the values' new axis first: a value belongs to the key, the second index
def weighted_values(weights, values):
    return weights[:, :, None] * values[:, None, :]

# %% wrong: weights_transposed
# wrong: uses weights[j, i] (catalogue 20)
# says: `weights[j, i]` instead of
# likely: the weights are transposed: `weights[j, i]` instead of `weights[i, j]`
# next: leave the weights as they are
def weighted_values(weights, values):
    return weights.T[:, :, None] * values[None, :, :]

# %% wrong: skips_small_weights
# wrong: weights below 1e-8 and negative ones are treated as 0
# says: all inputs here come out right
def weighted_values(weights, values):
    kept = np.where(weights > 1e-8, weights, 0)
    return kept[..., None] * values

# %% wrong: weights_in_memory_order
# wrong: order "K" walks through memory, so for a transposed array the result belongs to weights.T
# says: with `weights` alone, in place of `weights.ravel(order='K')`
def weighted_values(weights, values):
    T, d_v = values.shape
    long = np.repeat(weights.ravel(order="K"), d_v)
    return long.reshape(T, T, d_v) * values

# %% right: by_loops
def weighted_values(weights, values):
    T, d_v = values.shape
    products = np.zeros((T, T, d_v))
    for i in range(T):
        for j in range(T):
            products[i, j] = weights[i, j] * values[j]
    return products

# %% wrong: every_weight_with_every_value
# wrong: the outer product of the two matrices
# says: each weight multiplies the values of all tokens
# likely: each weight multiplies the values of all tokens: there is one token axis too many
# next: multiply weight `[i, j]` only by value j
def weighted_values(weights, values):
    return np.multiply.outer(weights, values)

# %% right: by_lists
def weighted_values(weights, values):
    T, d_v = values.shape
    products = []
    for i in range(T):
        row = []
        for j in range(T):
            row.append(weights[i, j] * values[j])
        products.append(row)
    products = np.array(products)
    return products

# %% right: in_one_line
def weighted_values(weights, values):
    products = weights[:, :, None] * values[None, :, :]
    return products

# %% wrong: values_times_transpose
# wrong: the page's `values * weights.T`: pairs components with queries (catalogue 21)
# says: component c of a value with query c
# likely: without a new axis, `*` pairs component c of a value with query c: entry `[j, c]` is values[j, c] · weights[c, j]
# next: give both three axes: `weights[:, :, None]` and `values[None]`
def weighted_values(weights, values):
    return values * weights.T

# %% wrong: values_times_transpose_summed
# wrong: the page's `(values * weights.T).sum(axis=0)` (catalogue 21)
# says: component c of the output of query c
# likely: without a new axis, `*` pairs component c of a value with query c; the sum over the keys is then component c of the output of query c
# next: give both three axes, `weights[:, :, None]` and `values[None]`, and do not add up
def weighted_values(weights, values):
    return (values * weights.T).sum(axis=0)
