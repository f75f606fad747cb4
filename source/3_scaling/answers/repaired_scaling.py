# Right and wrong answers to `repaired_scaling`; authoring/README.md says how they are written.

# %% right: by_hand
def repaired_scaling(q, k, v):
    s = np.inner(q, k) * q.shape[-1] ** -0.5
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e @ v / e.sum(axis=1, keepdims=True)

# %% right: columns
def repaired_scaling(q, k, v):
    spalten = softmax(k @ q.T / np.sqrt(q.shape[-1]), axis=0)
    return (v.T @ spalten).T

# %% right: early
def repaired_scaling(q, k, v):
    root = q.shape[1] ** 0.25
    return softmax((q / root) @ (k / root).T) @ v

# %% right: einsum
def repaired_scaling(q, k, v):
    return np.einsum("ts,sv->tv", softmax(np.einsum("td,sd->ts", q, k) / np.sqrt(q.shape[1]), axis=1), v)

# %% right: right_halves
def repaired_scaling(q, k, v):
    scores = q @ k.T / np.sqrt(k.shape[-1])
    return softmax(scores) @ v

# %% right: row_by_row
def repaired_scaling(q, k, v):
    return np.array([softmax(k @ query / np.sqrt(len(query))) @ v for query in q])

# %% right: torch
def repaired_scaling(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(*(torch.tensor(a) for a in (q, k, v))).numpy()

# %% wrong: both_faults
# wrong: divides by d after the softmax (catalogue 10, 13)
# says: both faults of the clinic
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) / np.sqrt(k.shape[-1]) @ v

# %% wrong: by_tokens
# wrong: root of the number of keys (catalogue 12)
# says: another length than the one
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(k.shape[0])) @ v

# %% wrong: changes_input
# wrong: divides q in place (catalogue 41)
# says: in-place operation
def repaired_scaling(q, k, v):
    q /= np.sqrt(q.shape[-1])
    return softmax(q @ k.T) @ v

# %% wrong: fixed_eight
# wrong: divides by 8, the root of this example's 64 (catalogue 42)
# says: the largest difference
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / 8) @ v

# %% wrong: maximum_of_everything
# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max())
    return e / e.sum(axis=1, keepdims=True) @ v

# %% wrong: not_scaled
# wrong: takes the scaling out (catalogue 9)
# says: the scores are not scaled
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) @ v

# %% wrong: over_all_entries
# wrong: softmax over all entries (catalogue 2)
# says: the largest difference
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    return softmax(s.ravel()).reshape(s.shape) @ v

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: the largest difference
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(k.shape[-1]), axis=0) @ v

# %% wrong: renormalised
# wrong: divides after the softmax and makes the rows sum to one again (catalogue 9)
# says: the scores are not scaled
def repaired_scaling(q, k, v):
    weights = softmax(q @ k.T) / np.sqrt(k.shape[-1])
    return weights / weights.sum(axis=1, keepdims=True) @ v

# %% wrong: squeezed
# wrong: drops the axis of a single query (catalogue 46)
# says: only the hidden tests see it
def repaired_scaling(q, k, v):
    return np.squeeze(softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v)

# %% wrong: still_after
# wrong: divides after the softmax (catalogue 13)
# says: after the softmax
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) / np.sqrt(k.shape[-1]) @ v

# %% wrong: still_by_d
# wrong: divides by d (catalogue 10)
# says: divided by d itself
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) @ v

# %% wrong: twice
# wrong: before and after (catalogue 13)
# says: scaled twice
def repaired_scaling(q, k, v):
    root = np.sqrt(k.shape[-1])
    return softmax(q @ k.T / root) / root @ v

# %% wrong: without_maximum
# wrong: its own softmax overflows (catalogue 7)
# says: nan or inf
def repaired_scaling(q, k, v):
    e = np.exp(q @ k.T / np.sqrt(k.shape[-1]))
    return e / e.sum(axis=1, keepdims=True) @ v
