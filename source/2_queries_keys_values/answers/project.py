# Right and wrong answers to `project`; authoring/README.md says how they are written.

# %% right: at
def project(x, w):
    return x @ w

# %% right: dot
def project(x, w):
    return np.dot(x, w)

# %% right: einsum
def project(x, w):
    return np.einsum("ti,id->td", x, w)

# %% right: sum_of_products
def project(x, w):
    print("Projektion", x.shape, w.shape)
    return (x[:, :, None] * w[None]).sum(axis=1)

# %% right: three_loops
def project(x, w):
    y = np.zeros((x.shape[0], w.shape[1]))
    for t in range(x.shape[0]):
        for d in range(w.shape[1]):
            for m in range(w.shape[0]):
                y[t, d] += x[t, m] * w[m, d]
    return y

# %% right: token_by_token
def project(x, w):
    return np.array([token @ w for token in x])

# %% right: torch_float64
def project(x, w):
    a, b = (torch.as_tensor(np.asarray(part, dtype=float)) for part in (x, w))
    return torch.mm(a, b).numpy()

# %% right: transposed_twice
def project(x, w):
    return (w.T @ x.T).T

# %% wrong: changes_input
# wrong: scales its input in place (catalogue 41)
# says: in-place operation
def project(x, w):
    result = x @ w
    x *= 2
    return result

# %% wrong: columns
# wrong: returns the result in columns (catalogue 19)
# says: rows and columns changed places
def project(x, w):
    return (x @ w).T

# %% wrong: elementwise
# wrong: multiplies number by number (catalogue 21)
# says: raised ValueError
def project(x, w):
    return x * w

# %% wrong: inputs_global
# wrong: uses the notebook's inputs instead of x (catalogue 42)
# says: comes from the notebook instead of from the arguments
def project(x, w):
    return inputs @ w

# %% wrong: integers
# wrong: stores the result as whole numbers (catalogue 43)
# says: cuts off all decimals
def project(x, w):
    return (x @ w).astype(int)

# %% wrong: positive_only
# wrong: sets negative results to zero
# says: the largest difference
def project(x, w):
    return np.maximum(x @ w, 0)

# %% wrong: prints_instead
# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def project(x, w):
    print(x @ w)

# %% wrong: reads_global
# wrong: uses the notebook's w_key instead of the argument (catalogue 42)
# says: comes from the notebook instead of from the arguments
def project(x, w):
    return x @ w_key

# %% wrong: returns_list
# wrong: returns nested lists (catalogue 43)
# says: your function returns list
def project(x, w):
    return (x @ w).tolist()

# %% wrong: softmaxed
# wrong: puts a softmax on the projection
# says: the largest difference
def project(x, w):
    return softmax_rows(x @ w)

# %% wrong: squeezed
# wrong: drops the axis of a single token (catalogue 46)
# says: an axis of length 1 was dropped
def project(x, w):
    return np.squeeze(x @ w)

# %% wrong: weights_transposed
# wrong: multiplies with the transposed matrix (catalogue 18)
# says: two arrays whose axes do not line up
def project(x, w):
    return x @ w.T

# %% wrong: wrong_side
# wrong: the matrix stands on the left (catalogue 18)
# says: the matrix stands on the left
def project(x, w):
    return w @ x
