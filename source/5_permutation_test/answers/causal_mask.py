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

# %% right: grows_by_recursion
def causal_mask(T):
    mask = np.ones((1, 1), dtype=bool)
    for _ in range(T - 1):
        mask = np.pad(mask, ((0, 1), (0, 1)))
        mask[-1] = True
    return mask

# %% right: running_or_over_the_identity
def causal_mask(T):
    return np.logical_or.accumulate(np.eye(T, dtype=bool), axis=0)

# %% wrong: additive
# wrong: 0 and -inf, to be added (catalogue 34)
# says: as if to be added
# likely: the mask holds 0 and −∞, as if to be added to the scores
# next: return truth values: True where the query may look
def causal_mask(T):
    return np.triu(np.full((T, T), -np.inf), k=1)

# %% wrong: all_true
# wrong: nothing is masked (catalogue 40)
# says: nothing is masked
# likely: nothing is masked
# next: compare that step with *Pseudocode* in the card
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
# likely: True means “blocked” in your mask
# next: use True for “may look”
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
# says: your function returns a list
def causal_mask(T):
    return [[j <= i for j in range(T)] for i in range(T)]

# %% wrong: next_token_only
# wrong: each query sees itself and the one before
# says: each query sees only itself and the one before
# likely: each query sees only itself and the one before
# next: compare that step with *Pseudocode* in the card
def causal_mask(T):
    i = np.arange(T)
    d = i[:, None] - i[None, :]
    return (d == 0) | (d == 1)

# %% wrong: one_too_far
# wrong: j <= i + 1 (catalogue 35)
# says: one token into the future
# likely: a query may look one token into the future
# next: make the diagonal above the main one False
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=1)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: removes every axis of length 1
def causal_mask(T):
    return np.squeeze(np.tri(T, dtype=bool))

# %% wrong: torch_result
# wrong: a torch tensor (catalogue 43)
# says: your function returns a torch tensor
def causal_mask(T):
    return torch.ones(T, T).tril().bool()

# %% wrong: transposed
# wrong: the past looks at the future (catalogue 36)
# says: a query sees the future, not the past
# likely: keys and queries are swapped: a query sees the future, not the past
# next: use rows for queries: True where j ≤ i
def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool))

# %% wrong: without_diagonal
# wrong: j < i (catalogue 35)
# says: may not look at itself
# likely: a query may not look at itself in your mask
# next: include j = i: j ≤ i does
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool), k=-1)

# %% wrong: small_place_numbers
# wrong: places in 8 bits begin again at 0 after 256 tokens
# says: for many tokens
def causal_mask(T):
    places = np.arange(T).astype(np.uint8)
    return places <= places[:, None]

# %% wrong: cut_out_of_a_table
# wrong: a table for at most 64 tokens
# says: for many tokens: 142: shape (64, 64)
full_mask = np.tri(64, dtype=bool)

def causal_mask(T):
    return full_mask[:T, :T].copy()

# %% wrong: short_memory
# wrong: keys more than 100 places back are hidden
# says: for many tokens
def causal_mask(T):
    i, j = np.indices((T, T))
    return (j <= i) & (i - j < 100)

# %% right: by_loops
def causal_mask(T):
    allowed = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(T):
            if j <= i:
                allowed[i, j] = True
    return allowed
