# Right and wrong answers to `softmax_jacobian`; authoring/README.md says how they are written.

# %% right: diag_outer
def softmax_jacobian(p):
    return np.diag(p) - np.outer(p, p)

# %% right: broadcasting
def softmax_jacobian(p):
    return p[:, None] * (np.eye(p.size) - p[None, :])

# %% right: einsum
def softmax_jacobian(p):
    return np.einsum("i,ij->ij", p, np.identity(len(p))) - np.einsum("i,j->ij", p, p)

# %% right: loops
def softmax_jacobian(p):
    T = len(p)
    J = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            J[i, j] = p[i] * ((i == j) - p[j])
    return J

# %% right: matrix_product
def softmax_jacobian(p):
    column = p.reshape(-1, 1)
    return np.diagflat(column) - column @ column.T

# %% right: torch
def softmax_jacobian(p):
    t = torch.tensor(p, dtype=torch.float64)
    return (torch.diag(t) - torch.outer(t, t)).numpy()

# %% right: two_cases
def softmax_jacobian(p):
    # auf der Diagonale p(1-p), daneben -p_i p_j
    J = -np.multiply.outer(p, p).astype(float)
    J[np.diag_indices(len(p))] = p * (1 - p)
    return J

# %% right: autograd
def softmax_jacobian(p):
    scores = torch.tensor(p, dtype=torch.float64).log()
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=0), scores).numpy()

# %% right: rows_of_the_identity
def softmax_jacobian(p):
    p = np.array(p, dtype=float)
    rows = [weight * (unit - p) for weight, unit in zip(p, np.eye(p.size))]
    return np.asfortranarray(np.stack(rows))

# %% right: covariance_of_one_hots
def softmax_jacobian(p):
    one_hots = np.eye(len(p))
    away = one_hots - p
    return np.einsum("n,ni,nj->ij", np.asarray(p, float), away, away)

# %% right: callable_object
class Jacobian:
    def __call__(self, p):
        jacobian = np.multiply.outer(-1.0 * p, p)
        np.einsum("ii->i", jacobian)[:] += p
        return jacobian


softmax_jacobian = Jacobian()

# %% wrong: changes_input
# wrong: writes into p (catalogue 41)
# says: in-place operation
def softmax_jacobian(p):
    J = np.diag(p) - np.outer(p, p)
    p *= 1 - p
    return J

# %% wrong: diagonal_only
# wrong: differentiates each weight by its own score only
# says: only the diagonal is filled
def softmax_jacobian(p):
    return np.diag(p * (1 - p))

# %% wrong: dot
# wrong: p @ p.T is a single number (catalogue 21)
# says: one number, the sum of all squares
# likely: one number, the sum of all squares, is subtracted everywhere: with one axis, `p @ p.T` is not a table
# next: use `np.outer(p, p)`, the table of products
def softmax_jacobian(p):
    return np.diag(p) - p @ p.T

# %% wrong: elementwise
# wrong: p * p.T is one number per weight (catalogue 21)
# says: the square of p_j is subtracted from entry [i, j]
# likely: the square of p_j is subtracted from entry [i, j] instead of p_i p_j: `p * p` is not a table of products, and both factors run along the columns
# next: put one factor down the rows, `p[:, None]`, the other along the columns, `p[None, :]`; or take `np.outer(p, p)`
def softmax_jacobian(p):
    return np.diag(p) - p * p.T

# %% wrong: fixed_size
# wrong: takes three weights for granted (catalogue 42)
# says: your code has the number 3, in `np.eye(3)`, line 2 of the
def softmax_jacobian(p):
    return p * np.eye(3) - np.outer(p, p)

# %% wrong: negative
# wrong: the sign is the other way round
# says: the sign is reversed
# likely: the sign is reversed
# next: start with the diagonal matrix of p, and subtract the products
def softmax_jacobian(p):
    return np.outer(p, p) - np.diag(p)

# %% wrong: nested_lists
# wrong: returns nested lists (catalogue 43)
# says: your function returns a list
def softmax_jacobian(p):
    return (np.diag(p) - np.outer(p, p)).tolist()

# %% wrong: of_scores
# wrong: takes p for scores and applies the softmax again
# says: p goes through a softmax first
# likely: p goes through a softmax first, but p already holds the weights
# next: use p as it is
 def softmax_jacobian(p):
+    p = softmax(p)

# %% wrong: outer_only
# wrong: forgets the diagonal
# says: the diagonal matrix of p is missing
# likely: the products are subtracted, but the diagonal matrix of p is missing
# next: add `np.diag(p)`
def softmax_jacobian(p):
    return -np.outer(p, p)

# %% wrong: plus
# wrong: adds the products
# says: is addition instead of subtraction
def softmax_jacobian(p):
    return np.diag(p) + np.outer(p, p)

# %% wrong: rounded
# wrong: rounds to two decimals (catalogue 50)
# says: the numbers are rounded to 2 decimals
def softmax_jacobian(p):
    return np.round(np.diag(p) - np.outer(p, p), 2)

# %% wrong: squeezed
# wrong: drops the axes of a single weight (catalogue 46)
# says: removes every axis of length 1
def softmax_jacobian(p):
    return np.squeeze(np.diag(p) - np.outer(p, p))

# %% wrong: vector
# wrong: returns p(1-p) as a vector
# says: the result is the diagonal of the expected one
def softmax_jacobian(p):
    return p * (1 - p)

# %% wrong: minus_of_unsigned_integers
# wrong: takes the minus of numbers that have no sign
# says: with the same numbers as decimals, the result is right
def softmax_jacobian(p):
    jacobian = (-np.outer(p, p)).astype(float)
    jacobian[np.diag_indices(len(p))] += p
    return jacobian

# %% wrong: old_kind_of_matrix
# wrong: an np.matrix: its product with a vector has two axes (catalogue 43)
# says: a matrix is a kind of array with rules of its
def softmax_jacobian(p):
    column = np.matrix(p, dtype=float).T
    return np.diagflat(column) - column @ column.T

# %% wrong: small_weights_cut_off
# wrong: weights below a thousandth become 0 (catalogue 50)
# says: for many weights, shape (40,), 52% of a sample of 100
def softmax_jacobian(p):
    p = np.where(p < 0.001, 0.0, p)
    return np.diag(p) - np.outer(p, p)

# %% wrong: at_most_thirty_two
# wrong: thirty-two weights at most (catalogue 42)
# says: for many weights, shape (40,), 30% of a sample of 100
def softmax_jacobian(p):
    J = np.zeros((len(p), len(p)))
    n = min(len(p), 32)
    J[:n, :n] = np.diag(p[:n]) - np.outer(p[:n], p[:n])
    return J

# %% wrong: divides_by_the_weights
# wrong: divides by the weights: nan where one is 0
# says: entries are nan or inf
def softmax_jacobian(p):
    p = np.asarray(p, dtype=float)
    return np.outer(p, p) * (np.diag(1 / p) - 1)

# %% wrong: column_is_a_view
# wrong: the sign is turned in a view of p (catalogue 41)
# says: in-place operation
def softmax_jacobian(p):
    row = p.astype(float)
    column = p.reshape(-1, 1)
    column *= -1
    return np.diag(row) + column * row

# %% right: step_by_step
def softmax_jacobian(p):
    products = np.outer(p, p)
    return np.diag(p) - products

# %% right: by_loops
def softmax_jacobian(p):
    d = len(p)
    result = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            if i == j:
                result[i, j] = p[i] * (1 - p[i])
            else:
                result[i, j] = -p[i] * p[j]
    return result

# %% wrong: ones_on_the_diagonal
# wrong: the identity in the place of the diagonal matrix of p
# says: starts from ones instead of p
# likely: the diagonal starts from ones instead of p: the factor p_i of δ is missing
# next: put p on the diagonal with `np.diag(p)`
def softmax_jacobian(p):
    return np.eye(len(p)) - np.outer(p, p)

# %% wrong: logarithm_of_the_weights
# wrong: δ - p_j: the factor p_i is missing
# says: the factor p_i is missing
# likely: this is δ − p_j, the derivative of the *logarithm* of weight i by score j: the factor p_i is missing
# next: multiply row i by p_i
def softmax_jacobian(p):
    return np.eye(len(p)) - p

# %% wrong: logarithm_of_the_weights_turned
# wrong: δ - p_i: the factor p_j is missing
# says: the factor p_j is missing
# likely: this is δ − p_i: the factor p_j is missing
# next: multiply column j by p_j
def softmax_jacobian(p):
    return np.eye(len(p)) - p[:, None]

# %% wrong: delta_everywhere
# wrong: p_i (1 - p_j) everywhere: the 1 without the δ
# says: the 1 belongs only on the diagonal
# likely: every entry is p_i (1 − p_j), but the 1 belongs only on the diagonal
# next: make the entries off the diagonal −p_i p_j
def softmax_jacobian(p):
    return np.outer(p, 1 - p)

# %% wrong: delta_everywhere_turned
# wrong: p_j (1 - p_i) everywhere
# says: the 1 belongs only on the diagonal
# likely: every entry is p_j (1 − p_i), but the 1 belongs only on the diagonal
# next: make the entries off the diagonal −p_i p_j
def softmax_jacobian(p):
    return np.outer(1 - p, p)

# %% wrong: squares_in_columns
# wrong: p_i² in row i in the place of p_i p_j (catalogue 21)
# says: the square of p_i is subtracted from entry [i, j]
# likely: the square of p_i is subtracted from entry [i, j] instead of p_i p_j: both factors run along the rows
# next: put one factor down the rows, `p[:, None]`, the other along the columns, `p[None, :]`; or take `np.outer(p, p)`
def softmax_jacobian(p):
    return np.diag(p) - (p * p)[:, None]

# %% wrong: squares_left_out
# wrong: the diagonal is p: the squares are not subtracted there
# says: the diagonal is p, not p minus its square
# likely: the diagonal is p, not p minus its square: the square is overwritten there, or never subtracted
# next: add p to the diagonal, which already holds −p²; do not overwrite it with p
def softmax_jacobian(p):
    J = -np.outer(p, p).astype(float)
    np.fill_diagonal(J, p)
    return J

# %% wrong: squares_subtracted_twice
# wrong: p (1 - p) on the diagonal, and the products subtracted there once more
# says: the squares are subtracted twice
# likely: on the diagonal, the squares are subtracted twice: p (1 − p) already contains them
# next: put p on the diagonal, minus the table of products
def softmax_jacobian(p):
    return np.diag(p * (1 - p)) - np.outer(p, p)

# %% wrong: weights_subtracted
# wrong: subtracts p from every row, not the products
# says: p_j is subtracted instead of p_i p_j
# likely: in every row, p_j is subtracted instead of p_i p_j
# next: use `np.outer(p, p)`, the table of products
def softmax_jacobian(p):
    return np.diag(p) - p

# %% wrong: weights_subtracted_down
# wrong: subtracts p from every column, not the products
# says: p_i is subtracted instead of p_i p_j
# likely: in every column, p_i is subtracted instead of p_i p_j
# next: use `np.outer(p, p)`, the table of products
def softmax_jacobian(p):
    return np.diag(p) - p[:, None]

# %% wrong: rest_on_the_diagonal
# wrong: 1 - p on the diagonal
# says: the diagonal is 1 − p instead of p
# likely: the diagonal is 1 − p instead of p before the products are subtracted
# next: take the diagonal matrix of p, minus the table of products
def softmax_jacobian(p):
    return np.diag(1 - p) - np.outer(p, p)

# %% wrong: rest_alone_on_the_diagonal
# wrong: 1 - p on the diagonal, right beside it
# says: the diagonal is 1 − p
# likely: the diagonal is 1 − p: the factor p is missing there
# next: put p (1 − p) on the diagonal
def softmax_jacobian(p):
    J = -np.outer(p, p).astype(float)
    np.fill_diagonal(J, 1 - p)
    return J

# %% wrong: comparison_with_a_difference
# wrong: == comes after the minus: i is compared with j - p[j]
# says: every entry is zero
def softmax_jacobian(p):
    T = len(p)
    return np.array([[p[i] * (i == j - p[j]) for j in range(T)] for i in range(T)], dtype=float)

# %% right: in_float32
def softmax_jacobian(p):
    p = p.astype(np.float32)
    return np.diag(p) - np.outer(p, p)

# %% wrong: equal_weights_are_the_diagonal
# wrong: takes equal weights for one and the same: what belongs on the diagonal stands beside it, too
# says: yours is
def softmax_jacobian(p):
    return np.where(p[:, None] == p, p * (1.0 - p), -1.0 * np.outer(p, p))

# %% wrong: first_column_for_the_diagonal
# wrong: adds p to the first column, as a step through the flat table that is one too short does
# says: added to the first column
# likely: p is added to the first column, not to the diagonal: from one entry of the diagonal to the next there are T + 1 steps in the flat table
# next: `np.diag(p)` has p on the diagonal
-    return np.diag(p) - np.outer(p, p)
+    return p[:, None] * np.eye(len(p))[0] - np.outer(p, p)
