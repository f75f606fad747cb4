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

# %% right: average_per_query
def repaired_scaling(q, k, v):
    outputs = []
    for query in np.asarray(q, dtype=float):
        scores = k @ query / np.linalg.norm(np.ones(len(query)))
        outputs.append(np.average(v, axis=0, weights=np.exp(scores - scores.max())))
    return np.array(outputs)

# %% right: divides_at_the_end
def repaired_scaling(q, k, v):
    scores = (q / np.sqrt(q.shape[1])) @ k.T
    mix = np.exp(scores - scores.max(1, keepdims=True)) @ np.c_[v, np.ones(len(v))]
    return mix[:, :-1] / mix[:, -1:]

# %% right: sigmoid_of_differences
def repaired_scaling(q, k, v):
    scores = np.inner(q, k) / np.sqrt(k.shape[-1])
    with np.errstate(over="ignore"):
        weights = 1 / np.exp(scores[:, None, :] - scores[:, :, None]).sum(axis=-1)
    return weights @ v

# %% wrong: both_faults
# wrong: divides by d after the softmax (catalogue 10, 13)
# says: has both faults of the clinic
# likely: the code has both faults of the clinic: division by d itself, and another one after the softmax
# next: keep the right half of each
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) / np.sqrt(k.shape[-1]) @ v

# %% wrong: by_tokens
# wrong: root of the number of keys (catalogue 12)
# says: divided by the root of S
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
# says: divided by 8 for every input
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
# says: one softmax runs over all scores
# likely: one softmax runs over all scores, so all weights together sum to 1
# next: take one softmax per query: divide each row by its own sum
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    return softmax(s.ravel()).reshape(s.shape) @ v

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries: the columns sum to 1, not the rows
# next: take one softmax per query: let it run over the keys, the last axis
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
# says: an axis of length 1 is missing
def repaired_scaling(q, k, v):
    return np.squeeze(softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v)

# %% wrong: still_after
# wrong: divides after the softmax (catalogue 13)
# says: after the softmax
# likely: the weights are divided after the softmax, so they no longer sum to one
# next: divide the scores, before the softmax
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) / np.sqrt(k.shape[-1]) @ v

# %% wrong: still_by_d
# wrong: divides by d (catalogue 10)
# says: divided by d_k itself
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / k.shape[-1]) @ v

# %% wrong: twice
# wrong: before and after (catalogue 13)
# says: once more after the softmax
# likely: the scores are divided by the root, and the weights or outputs once more after the softmax, so the weights no longer sum to one
# next: remove the division after the softmax
def repaired_scaling(q, k, v):
    root = np.sqrt(k.shape[-1])
    return softmax(q @ k.T / root) / root @ v

# %% wrong: without_maximum
# wrong: its own softmax overflows (catalogue 7)
# says: nan or inf
def repaired_scaling(q, k, v):
    e = np.exp(q @ k.T / np.sqrt(k.shape[-1]))
    return e / e.sum(axis=1, keepdims=True) @ v

# %% wrong: capped_scores
# wrong: cuts scores at 700: finite, and large ones become equal
# says: for long vectors, yours is
def repaired_scaling(q, k, v):
    scores = np.minimum(q @ k.T / np.sqrt(k.shape[-1]), 700)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True) @ v

# %% wrong: root_of_the_larger
# wrong: the root of the larger of d_k and d_v (catalogue 12)
# says: for queries, keys and values, shape (6, 3) and (2, 3)
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(max(k.shape[-1], v.shape[-1]))) @ v

# %% wrong: shifts_by_the_last
# wrong: subtracts the last score of each query, not the largest
# says: nan or inf
def repaired_scaling(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s[:, -1:])
    return e / e.sum(axis=1, keepdims=True) @ v

# %% wrong: ten_keys
# wrong: looks at ten keys at most (catalogue 42)
# says: for many queries and keys, shape (40, 100) and (130, 100)
def repaired_scaling(q, k, v):
    return softmax(q @ k[:10].T / np.sqrt(k.shape[-1])) @ v[:10]

# %% wrong: remembers_by_shape
# wrong: remembers the result for each set of shapes
# says: for long vectors, yours is
def repaired_scaling(q, k, v, kept={}):
    key = q.shape + k.shape + v.shape
    if key not in kept:
        kept[key] = softmax(q @ k.T / np.sqrt(k.shape[-1])) @ v
    return kept[key]

# %% right: step_by_step
def repaired_scaling(q, k, v):
    d = k.shape[1]
    scores = q @ k.T / np.sqrt(d)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    totals = powers.sum(axis=1, keepdims=True)
    weights = powers / totals
    outputs = weights @ v
    return outputs

# %% wrong: by_twice_d
# wrong: `* d ** -1 / 2` divides by d and by 2 (catalogue 10)
# says: a power binds tighter than a division
def repaired_scaling(q, k, v):
    return softmax(q @ k.T * q.shape[-1] ** -1 / 2) @ v

# %% wrong: half_as_the_root
# wrong: half of d_k in the place of its root (catalogue 10)
# says: divided by half of d_k
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / (q.shape[-1] / 2)) @ v

# %% wrong: multiplied
# wrong: multiplies by the root (catalogue 9)
# says: multiplied by the root instead of divided
def repaired_scaling(q, k, v):
    return softmax(q @ k.T * np.sqrt(q.shape[-1])) @ v

# %% wrong: by_values
# wrong: the root of d_v (catalogue 12)
# says: divided by the root of d_v
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(v.shape[1])) @ v

# %% wrong: by_queries
# wrong: the root of the number of queries (catalogue 12)
# says: divided by the root of T
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.sqrt(len(q))) @ v

# %% wrong: d_after_the_softmax
# wrong: divides the weights by d itself (catalogue 10, 13)
# says: the weights are divided by d itself, after the softmax
# likely: the weights are divided by d itself, after the softmax, so they no longer sum to one
# next: divide the scores by the root, before the softmax
def repaired_scaling(q, k, v):
    return softmax(q @ k.T) / q.shape[-1] @ v

# %% wrong: without_softmax
# wrong: no softmax
# says: there is no softmax
# likely: there is no softmax between the two products
# next: put the scaled scores through `softmax`
def repaired_scaling(q, k, v):
    return q @ k.T / np.sqrt(q.shape[-1]) @ v

# %% wrong: cosines
# wrong: divides by the lengths of the vectors (catalogue 11)
# says: the scores are cosines
# likely: the scores are cosines: each query and each key is divided by its own length, not by the root of d_k
# next: divide by one number for all: the root of how many components a query has
def repaired_scaling(q, k, v):
    a, b = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (q, k))
    return softmax(a @ b.T) @ v

# %% wrong: root_of_one_side
# wrong: the fourth root on one side only
# says: divided by the fourth root of d_k
def repaired_scaling(q, k, v):
    return softmax(q / q.shape[-1] ** 0.25 @ k.T) @ v

# %% wrong: whole_root_cut_off
# wrong: divides whole: the scores lose their decimals
# says: `//` is used instead of `/`
def repaired_scaling(q, k, v):
    return softmax(q @ k.T // np.sqrt(q.shape[-1])) @ v

# %% wrong: opposite_sign
# wrong: a minus before the scores
# says: the scores have the opposite sign
def repaired_scaling(q, k, v):
    return softmax(-q @ k.T / np.sqrt(q.shape[-1])) @ v

# %% wrong: by_the_length_of_all_keys
# wrong: divides by one length, that of the whole array of keys (catalogue 11)
# says: not divided by the root of d_k
def repaired_scaling(q, k, v):
    return softmax(q @ k.T / np.linalg.norm(k)) @ v

# %% right: in_float32
def repaired_scaling(q, k, v):
    tensors = (torch.tensor(array).float() for array in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors).double().numpy()
