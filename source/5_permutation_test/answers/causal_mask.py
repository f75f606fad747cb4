# Right and wrong answers to `causal_mask`; authoring/README.md says how they are written.

# %% right: compare
def causal_mask(T):
    i = np.arange(T)
    return i[None, :] <= i[:, None]

# %% right: fromfunction
def causal_mask(T):
    return np.fromfunction(lambda i, j: j <= i, (T, T))

# %% right: loops
def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask

# %% right: nested_lists
def causal_mask(T):
    return np.array([[j <= i for j in range(T)] for i in range(T)])

# %% right: not_triu
def causal_mask(T):
    return ~np.triu(np.ones((T, T), dtype=bool), k=1)

# %% right: torch
def causal_mask(T):
    return torch.ones(T, T).tril().bool().numpy()

# %% right: tri
def causal_mask(T):
    return np.tri(T, dtype=bool)

# %% right: tril
def causal_mask(T):
    return np.tril(np.ones((T, T))).astype(bool)

# %% wrong: additive
# wrong: 0 and -inf, to be added (catalogue 34)
# says: as if to be added
def causal_mask(T):
    return np.triu(np.full((T, T), -np.inf), k=1)

# %% wrong: all_true
# wrong: nothing is masked (catalogue 40)
# says: no mistake that this check knows
def causal_mask(T):
    return np.ones((T, T), dtype=bool)

# %% wrong: batch_axis
# wrong: an axis too many
# says: shape
def causal_mask(T):
    return np.tri(T, dtype=bool)[None]

# %% wrong: blocked
# wrong: True means blocked (catalogue 34)
# says: True means “blocked”
def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool), k=1)

# %% wrong: floats
# wrong: ones and zeros (catalogue 43)
# says: your mask holds float64
def causal_mask(T):
    return np.tril(np.ones((T, T)))

# %% wrong: four_tokens
# wrong: T = 4 is typed in (catalogue 42)
# says: shape
def causal_mask(T):
    return np.tri(4, dtype=bool)

# %% wrong: integers
# wrong: integers (catalogue 43)
# says: your mask holds int
def causal_mask(T):
    return np.tri(T, dtype=int)

# %% wrong: list_result
# wrong: nested lists (catalogue 43)
# says: your function returns list
def causal_mask(T):
    return [[j <= i for j in range(T)] for i in range(T)]

# %% wrong: next_token_only
# wrong: each query sees itself and the one before
# says: no mistake that this check knows
def causal_mask(T):
    i = np.arange(T)
    d = i[:, None] - i[None, :]
    return (d == 0) | (d == 1)

# %% wrong: one_too_far
# wrong: j <= i + 1 (catalogue 35)
# says: one token into the future
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=1)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
def causal_mask(T):
    return np.squeeze(np.tri(T, dtype=bool))

# %% wrong: torch_result
# wrong: a torch tensor (catalogue 43)
# says: your function returns a torch tensor
def causal_mask(T):
    return torch.ones(T, T).tril().bool()

# %% wrong: transposed
# wrong: the past looks at the future (catalogue 36)
# says: the past looks at the future
def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool))

# %% wrong: without_diagonal
# wrong: j < i (catalogue 35)
# says: may not look at itself
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=-1)
