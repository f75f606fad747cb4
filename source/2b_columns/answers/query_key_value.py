# Right and wrong answers to `query_key_value`; authoring/README.md says how they are written.

# %% right: as_list
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    parts = []
    for omega, beta in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)):
        parts.append(beta + omega.dot(x_n))
    return parts

# %% right: bias_last
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return np.dot(omega_q, x_n) + beta_q, np.dot(omega_k, x_n) + beta_k, np.dot(omega_v, x_n) + beta_v

# %% right: bias_times_ones
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    ones = np.ones((1, x_n.shape[1]))
    return beta_q @ ones + omega_q @ x_n, beta_k @ ones + omega_k @ x_n, beta_v @ ones + omega_v @ x_n

# %% right: einsum
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    q = beta_q + np.einsum("kd,dn->kn", omega_q, x_n)
    k = beta_k + np.einsum("kd,dn->kn", omega_k, x_n)
    v = beta_v + np.einsum("kd,dn->kn", omega_v, x_n)
    return (q, k, v)

# %% right: fused
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    d = len(omega_q)
    all_of_them = np.vstack([omega_q, omega_k, omega_v]) @ x_n + np.vstack([beta_q, beta_k, beta_v])
    return all_of_them[:d], all_of_them[d:2 * d], all_of_them[2 * d:]

# %% right: helper
def linear(x, omega, beta):
    return np.add(np.matmul(omega, x), beta)


def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return tuple(linear(x_n, o, b) for o, b in [(omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)])

# %% right: plain
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ x_n
    key = beta_k + omega_k @ x_n
    value = beta_v + omega_v @ x_n
    return query, key, value

# %% right: row_form
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    # als Zeile gerechnet und zurückgestellt
    zeile = x_n.T
    return (zeile @ omega_q.T + beta_q.T).T, (zeile @ omega_k.T + beta_k.T).T, (zeile @ omega_v.T + beta_v.T).T

# %% right: bias_as_another_component
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    longer = np.vstack([x_n, np.ones((1, x_n.shape[1]))])
    return tuple(np.hstack([omega, beta]) @ longer for omega, beta in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))

# %% right: named_tuple
from collections import namedtuple

Roles = namedtuple("Roles", "query key value")


def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    def affine(omega, beta):
        return np.sum(omega * x_n.T, axis=1, keepdims=True) + beta

    return Roles(query=affine(omega_q, beta_q), key=affine(omega_k, beta_k), value=affine(omega_v, beta_v))

# %% wrong: bias_of_the_query
# wrong: the bias of the query is used three times
# says: the bias of the query is used for all
# likely: the bias of the query is used for all
# next: use each role's own bias: beta_q, beta_k, beta_v
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_q + omega_k @ x_n, beta_q + omega_v @ x_n

# %% wrong: changes_bias
# wrong: adds to the bias in place (catalogue 41)
# says: in-place operation
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    beta_q += omega_q @ x_n
    beta_k += omega_k @ x_n
    beta_v += omega_v @ x_n
    return beta_q, beta_k, beta_v

# %% wrong: elementwise
# wrong: `*` instead of a matrix product (catalogue 21)
# says: part `query`: shape (4, 4)
# likely: `*` multiplies number by number and broadcasts the column over the matrix
# next: use `@` for a matrix product
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q * x_n, beta_k + omega_k * x_n, beta_v + omega_v * x_n

# %% wrong: fixed_sizes
# wrong: fills zeros of the notebook's size D (catalogue 42)
# says: your code uses `D`: no argument, but a variable of the notebook
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, key, value = np.zeros((D, 1)), np.zeros((D, 1)), np.zeros((D, 1))
    query += beta_q + omega_q @ x_n
    key += beta_k + omega_k @ x_n
    value += beta_v + omega_v @ x_n
    return query, key, value

# %% wrong: flattened
# wrong: returns arrays without the column axis (catalogue 46)
# says: an axis of length 1 is missing: an index, `squeeze` or a sum without
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return (beta_q + omega_q @ x_n)[:, 0], (beta_k + omega_k @ x_n)[:, 0], (beta_v + omega_v @ x_n)[:, 0]

# %% wrong: no_return
# wrong: computes and returns nothing (catalogue 43)
# says: your function returns None
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ x_n

# %% wrong: no_value
# wrong: returns query and key only (catalogue 43)
# says: your function returns 2 parts
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_k + omega_k @ x_n

# %% wrong: omega_transposed
# wrong: transposes the matrices; runs while they are square (catalogue 18)
# says: the matrices are transposed
# likely: the matrices are transposed, which runs only if they are square
# next: use `omega @ x` without a transpose: tokens are columns
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q.T @ x_n, beta_k + omega_k.T @ x_n, beta_v + omega_v.T @ x_n

# %% wrong: one_matrix_for_all
# wrong: all three use the matrix of the query (catalogue 15)
# says: all three use the matrix of the query
# likely: all three use the matrix of the query
# next: use each role's own matrix: omega_q, omega_k, omega_v
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_k + omega_q @ x_n, beta_v + omega_q @ x_n

# %% wrong: other_order
# wrong: returns value, query, key
# says: the three parts are in a different order
# likely: the three parts are in a different order
# next: return them in the order of the card: query, key, value
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_v + omega_v @ x_n, beta_q + omega_q @ x_n, beta_k + omega_k @ x_n

# %% wrong: reads_global
# wrong: uses the first column of the notebook's X (catalogue 42)
# says: your code uses `X`: no argument, but a variable of the notebook
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x = X[:, :1]
    return beta_q + omega_q @ x, beta_k + omega_k @ x, beta_v + omega_v @ x

# %% wrong: stacked
# wrong: joins the three into one array (catalogue 43)
# says: a part is missing, or the parts were joined
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return np.array([beta_q + omega_q @ x_n, beta_k + omega_k @ x_n, beta_v + omega_v @ x_n])

# %% wrong: swapped
# wrong: query and key have changed places (catalogue 16)
# says: query and key are swapped
# likely: query and key are swapped
# next: return them in the order of the card: query, key, value
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_k + omega_k @ x_n, beta_q + omega_q @ x_n, beta_v + omega_v @ x_n

# %% wrong: value_from_key
# wrong: the value uses the matrix of the key (catalogue 15)
# says: part `value`
# likely: the value comes from the key's matrix
# next: use omega_v for the value
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q + omega_q @ x_n, beta_k + omega_k @ x_n, beta_v + omega_k @ x_n

# %% wrong: without_bias
# wrong: leaves the biases out
# says: the biases are missing
# likely: the biases are missing
# next: add beta to each product
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return omega_q @ x_n, omega_k @ x_n, omega_v @ x_n

# %% wrong: zeros_left
# wrong: the template's zeros are returned
# says: every entry is zero
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query, key, value = np.zeros(beta_q.shape), np.zeros(beta_k.shape), np.zeros(beta_v.shape)
    q = beta_q + omega_q @ x_n
    k = beta_k + omega_k @ x_n
    v = beta_v + omega_v @ x_n
    return query, key, value

# %% right: step_by_step
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = beta_q + omega_q @ x_n
    key = beta_k + omega_k @ x_n
    value = beta_v + omega_v @ x_n
    return query, key, value

# %% wrong: token_without_its_column
# wrong: a flat token: what the matrix makes is flat, and spreads over the column of the bias
# says: the product has lost its column axis
# likely: the product has lost its column axis, or is a row: added to a column, the bias, it gives a square
# next: keep the token as a column; `x_n.ravel()`, `x_n[:, 0]` and `squeeze` make it flat
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x = x_n.ravel()
    return beta_q + omega_q @ x, beta_k + omega_k @ x, beta_v + omega_v @ x

# %% wrong: bias_without_its_column
# wrong: a flat bias spreads over the column of the product
# says: the bias has lost its column axis
# likely: the bias has lost its column axis, or is a row: a column plus a row gives a square
# next: add the bias as it is: `(D_k, 1)` plus `(D_k, 1)`
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    return beta_q.T + omega_q @ x_n, beta_k.T + omega_k @ x_n, beta_v.T + omega_v @ x_n

# %% right: in_one_line
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    query = omega_q @ x_n + beta_q
    key = omega_k @ x_n + beta_k
    value = omega_v @ x_n + beta_v
    return query, key, value

# %% right: in_float32
def query_key_value(x_n, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    x_n, *omegas = (array.astype(np.float32) for array in (x_n, omega_q, omega_k, omega_v))
    return tuple(omega @ x_n + beta.astype(np.float32) for omega, beta in zip(omegas, (beta_q, beta_k, beta_v)))
