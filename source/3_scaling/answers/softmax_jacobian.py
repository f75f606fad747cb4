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

# %% wrong: changes_input
# wrong: writes into p (catalogue 41)
# says: in-place operation
def softmax_jacobian(p):
    J = np.diag(p) - np.outer(p, p)
    p *= 1 - p
    return J

# %% wrong: diagonal_only
# wrong: differentiates each weight by its own score only
# says: only the diagonal is there
def softmax_jacobian(p):
    return np.diag(p * (1 - p))

# %% wrong: dot
# wrong: p @ p.T is a single number (catalogue 21)
# says: columns sum to
def softmax_jacobian(p):
    return np.diag(p) - p @ p.T

# %% wrong: elementwise
# wrong: p * p.T is one number per weight (catalogue 21)
# says: columns sum to
def softmax_jacobian(p):
    return np.diag(p) - p * p.T

# %% wrong: fixed_size
# wrong: takes three weights for granted (catalogue 42)
# says: comes from the notebook
def softmax_jacobian(p):
    return p * np.eye(3) - np.outer(p, p)

# %% wrong: negative
# wrong: the sign is the other way round
# says: the other way round
def softmax_jacobian(p):
    return np.outer(p, p) - np.diag(p)

# %% wrong: nested_lists
# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def softmax_jacobian(p):
    return (np.diag(p) - np.outer(p, p)).tolist()

# %% wrong: of_scores
# wrong: takes p for scores and applies the softmax again
# says: the largest difference
 def softmax_jacobian(p):
+    p = softmax(p)

# %% wrong: outer_only
# wrong: forgets the diagonal
# says: columns sum to
def softmax_jacobian(p):
    return -np.outer(p, p)

# %% wrong: plus
# wrong: adds the products
# says: a sign is wrong
def softmax_jacobian(p):
    return np.diag(p) + np.outer(p, p)

# %% wrong: rounded
# wrong: rounds to two decimals (catalogue 50)
# says: only the hidden tests see it
def softmax_jacobian(p):
    return np.round(np.diag(p) - np.outer(p, p), 2)

# %% wrong: squeezed
# wrong: drops the axes of a single weight (catalogue 46)
# says: an axis of length 1 was dropped
def softmax_jacobian(p):
    return np.squeeze(np.diag(p) - np.outer(p, p))

# %% wrong: vector
# wrong: returns p(1-p) as a vector
# says: an axis was summed away
def softmax_jacobian(p):
    return p * (1 - p)
