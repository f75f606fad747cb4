# Right and wrong answers to `scaled_dot_product_attention`; authoring/README.md says how they are written.

# %% right: transpose
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% right: by_hand
def scaled_dot_product_attention(q, k, v):
    scores = q.matmul(k.swapaxes(-1, -2)) * q.shape[-1] ** -0.5
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e.matmul(v) / e.sum(-1, keepdim=True)

# %% right: early
def scaled_dot_product_attention(q, k, v):
    root = k.size(-1) ** 0.25
    return torch.nn.functional.softmax(torch.matmul(q / root, (k / root).mT), dim=-1) @ v

# %% right: einsum
import math


def scaled_dot_product_attention(q, k, v):
    scores = torch.einsum("...td,...sd->...ts", q, k) / math.sqrt(q.size(-1))
    return torch.einsum("...ts,...sv->...tv", scores.softmax(-1), v)

# %% right: flattened_bmm
def scaled_dot_product_attention(q, k, v):
    front = q.shape[:-2]
    a, b, c = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v))
    weights = torch.softmax(torch.bmm(a, b.transpose(1, 2)) / b.shape[2] ** 0.5, dim=2)
    y = torch.bmm(weights, c)
    return y.view(*front, *y.shape[-2:])

# %% right: keys_first
def scaled_dot_product_attention(q, k, v):
    # Schlüssel zuerst, am Ende zurückgestellt
    d = q.size()[-1]
    columns = torch.nn.Softmax(dim=-2)((k / d ** 0.5) @ q.transpose(-2, -1))
    return columns.transpose(-2, -1).contiguous() @ v

# %% right: log_sum_exp
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-1, -2) / torch.sqrt(torch.tensor(q.shape[-1], dtype=q.dtype))
    return torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True)) @ v

# %% right: one_axis_at_a_time
def scaled_dot_product_attention(q, k, v):
    if q.ndim > 2:
        return torch.stack([scaled_dot_product_attention(*parts) for parts in zip(q, k, v)])
    return (q @ k.t()).div(q.shape[1] ** 0.5).softmax(dim=1).mm(v)

# %% right: key_by_key
def scaled_dot_product_attention(q, k, v):
    largest = torch.full_like(q[..., :1], float("-inf"))
    total = torch.zeros_like(largest)
    mix = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for s in range(k.shape[-2]):
        score = (q * k[..., s, None, :]).sum(-1, keepdim=True) / q.shape[-1] ** 0.5
        new = torch.maximum(largest, score)
        old_part, new_part = torch.exp(largest - new), torch.exp(score - new)
        total = total * old_part + new_part
        mix = mix * old_part + new_part * v[..., s, None, :]
        largest = new
    return mix / total

# %% right: early_scaling_bmm
def scaled_dot_product_attention(q, k, v):
    front = q.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    fourth = q.shape[-1] ** 0.25
    scores = torch.bmm(q / fourth, (k / fourth).transpose(1, 2))
    out = torch.bmm(torch.nn.Softmax(dim=-1)(scores), v)
    return out.reshape(*front, *out.shape[-2:])

# %% right: root_of_a_tensor
def scaled_dot_product_attention(q, k, v):
    scores = torch.matmul(q, k.transpose(-1, -2)) / torch.sqrt(torch.tensor(k.size(-1)))
    return torch.matmul(torch.nn.functional.softmax(scores, -1), v)

# %% wrong: after_softmax
# wrong: divides the weights (catalogue 13)
# says: after the softmax
# likely: the weights are divided after the softmax, so they no longer sum to one
# next: divide the scores, before the softmax
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) / q.shape[-1] ** 0.5 @ v

# %% wrong: batch_as_one_sequence
# wrong: queries look at the keys of other sequences (catalogue 45)
# says: queries look at the keys of all sequences
# likely: queries look at the keys of all sequences: the axes in front were merged with that of the tokens
# next: keep the last two axes as they are; `@` handles those in front one by one
def scaled_dot_product_attention(q, k, v):
    a, b, c = (t.reshape(-1, t.shape[-1]) for t in (q, k, v))
    return (torch.softmax(a @ b.T / q.shape[-1] ** 0.5, dim=-1) @ c).reshape(*q.shape[:-1], v.shape[-1])

# %% wrong: by_d
# wrong: divides by d_k (catalogue 10)
# says: divided by d_k itself
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1], dim=-1) @ v

# %% wrong: by_keys
# wrong: divides by the root of the number of keys (catalogue 12)
# says: divided by the root of S
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5, dim=-1) @ v

# %% wrong: by_queries
# wrong: divides by the root of the number of queries (catalogue 12)
# says: divided by the root of T
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-2] ** 0.5, dim=-1) @ v

# %% wrong: by_values
# wrong: divides by the root of d_v (catalogue 12)
# says: divided by the root of d_v
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: changes_input
# wrong: divides q in place (catalogue 41)
# says: in-place operation
def scaled_dot_product_attention(q, k, v):
    q /= q.shape[-1] ** 0.5
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v

# %% wrong: dim_two
# wrong: dim=2 and transpose(1, 2): only for three axes (catalogue 44)
# says: the array has no axis 2
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=2) @ v

# %% wrong: first_only
# wrong: the first sequence for all (catalogue 44)
# says: the first sequence is used for all
# likely: the first sequence is used for all
# next: let `@` handle the axes in front: do not index them
def scaled_dot_product_attention(q, k, v):
    if q.dim() < 3:
        return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v
    one = torch.softmax(q[0] @ k[0].transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v[0]
    return one.expand(len(q), *one.shape)

# %% wrong: fixed_dimension
# wrong: divides by the root of 5, the card's d_k (catalogue 42)
# says: divided by 2.236 for every input
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / 5 ** 0.5, dim=-1) @ v

# %% wrong: float32_result
# wrong: computes in float32 (catalogue 43)
# says: the type changed on the way
 def scaled_dot_product_attention(q, k, v):
+    q, k, v = q.float(), k.float(), v.float()

# %% wrong: keys_for_values
# wrong: mixes the keys (catalogue 15)
# says: shape (2, 3, 5)
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ k

# %% wrong: masked
# wrong: looks at earlier tokens only: a mask nobody asked for (catalogue 34)
# says: no query looks at a later token
# likely: no query looks at a later token: there is a mask
# next: remove the mask: this rule hides no token
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    mask = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    return torch.softmax(s.masked_fill(~mask, float("-inf")), dim=-1) @ v

# %% wrong: maximum_of_everything
# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    return e / e.sum(dim=-1, keepdim=True) @ v

# %% wrong: multiplied
# wrong: multiplies by the root (catalogue 9)
# says: multiplied by the root instead of divided
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: the scores are not scaled
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v

# %% wrong: numpy_result
# wrong: returns a NumPy array (catalogue 43)
# says: a torch tensor
def scaled_dot_product_attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v).numpy()

# %% wrong: output_transposed
# wrong: outputs in columns (catalogue 19)
# says: the result is transposed
def scaled_dot_product_attention(q, k, v):
    y = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v
    return y.transpose(-2, -1)

# %% wrong: over_all_entries
# wrong: one softmax for a whole sequence (catalogue 2)
# says: one softmax runs over all scores
# likely: one softmax runs over all scores of a sequence, so all weights together sum to 1
# next: take one softmax per query: divide each row by its own sum
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(s.flatten(-2), dim=-1).view_as(s) @ v

# %% wrong: over_batch
# wrong: softmax over the first axis (catalogue 3)
# says: the softmax runs over the batch
# likely: the softmax runs over the batch, so sequences that have nothing to do with each other are mixed
# next: use the last axis, `dim=-1`: it indexes the keys
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=0) @ v

# %% wrong: over_queries
# wrong: softmax over dim=-2 (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries
# next: take one softmax per query: let it run over the keys
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-2) @ v

# %% wrong: reverses_all_axes
# wrong: permutes the batch away (catalogue 44)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.permute(*reversed(range(k.dim()))) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
def scaled_dot_product_attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v).squeeze()

# %% wrong: swapped_roles
# wrong: keys ask (catalogue 16)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: twice
# wrong: scales q and the scores (catalogue 10)
# says: divided by d_k itself
def scaled_dot_product_attention(q, k, v):
    root = q.shape[-1] ** 0.5
    return torch.softmax((q / root) @ k.transpose(-2, -1) / root, dim=-1) @ v

# %% wrong: without_keepdim
# wrong: divides by another row's sum (catalogue 6)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e / e.sum(-1) @ v

# %% wrong: without_maximum
# wrong: relies on the scaling against overflow (catalogue 7)
# says: nan or inf
def scaled_dot_product_attention(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    return e / e.sum(dim=-1, keepdim=True) @ v

# %% wrong: without_softmax
# wrong: no softmax
# says: there is no softmax
# likely: there is no softmax between the two products
# next: put the scores through `torch.softmax(..., dim=-1)`
def scaled_dot_product_attention(q, k, v):
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 @ v

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: the exponentials are never divided by their sum
# likely: the exponentials are never divided by their sum: the weights of a query do not sum to 1
# next: divide by the sum over the keys, with `keepdim=True`
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.exp(s - s.amax(-1, keepdim=True)) @ v

# %% wrong: scores_held_at_fifty
# wrong: cuts scores at 50: finite, and large ones become equal
# says: long vectors observed yours is
# earns: 3
def scaled_dot_product_attention(q, k, v):
    scores = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).clamp(-50, 50)
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True) @ v

# %% wrong: nan_turned_into_zero
# wrong: turns the nan of an overflow into 0
# says: long vectors observed yours is
# earns: 3
def scaled_dot_product_attention(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    return torch.nan_to_num(e / e.sum(dim=-1, keepdim=True)) @ v

# %% wrong: shifts_by_the_first
# wrong: subtracts the first score of each query, not the largest
# says: nan or inf
# earns: 3
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s[..., :1])
    return e / e.sum(dim=-1, keepdim=True) @ v

# %% wrong: maximum_over_the_batch
# wrong: one maximum for the same place of all sequences
# says: nan or inf
# earns: 3
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    top = s.amax(-1, keepdim=True)
    if s.dim() > 2:
        top = top.amax(0, keepdim=True)
    e = torch.exp(s - top)
    return e / e.sum(dim=-1, keepdim=True) @ v

# %% wrong: view_of_the_heads
# wrong: view wants numbers that lie in order (catalogue 44)
# says: `view` needs the numbers in memory in their order
# earns: 3
def scaled_dot_product_attention(q, k, v):
    fold = lambda x: x.view(-1, *x.shape[-2:])
    scores = fold(q) @ fold(k).transpose(1, 2) / q.shape[-1] ** 0.5
    out = torch.softmax(scores, dim=-1) @ fold(v)
    return out.view(*q.shape[:-1], v.shape[-1])

# %% wrong: up_to_four_axes
# wrong: refuses five axes
# says: your own line raises it, because `q.dim() > 4` holds in
# earns: 3
def scaled_dot_product_attention(q, k, v):
    if q.dim() > 4:
        raise ValueError("too many axes")
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: sixteen_keys
# wrong: looks at sixteen keys at most (catalogue 42)
# says: for two sequences, shape (2, 40, 128) and (2, 130, 128)
# earns: 3
def scaled_dot_product_attention(q, k, v):
    k, v = k[..., :16, :], v[..., :16, :]
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: bmm_needs_three_axes
# wrong: bmm: for three axes alone (catalogue 44)
# says: the array has no axis 2
def scaled_dot_product_attention(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2)) / q.shape[-1] ** 0.5
    return torch.bmm(torch.softmax(scores, dim=-1), v)

# %% wrong: root_from_a_float64_array
# wrong: the divisor takes float32 along to float64 (catalogue 43)
# says: the type changed on the way
# earns: 3
def scaled_dot_product_attention(q, k, v):
    root = torch.from_numpy(np.sqrt(np.array([q.shape[-1]])))
    weights = torch.softmax(q @ k.transpose(-2, -1) / root, dim=-1)
    return weights @ v.to(weights.dtype)

# %% right: step_by_step
def scaled_dot_product_attention(q, k, v):
    d = k.shape[-1]
    scores = q @ k.transpose(-2, -1) / d ** 0.5
    weights = torch.softmax(scores, dim=-1)
    outputs = weights @ v
    return outputs

# %% right: by_loops
def scaled_dot_product_attention(q, k, v):
    d = q.shape[-1]
    scores = q @ k.transpose(-2, -1) / d ** 0.5
    largest = scores.amax(dim=-1, keepdim=True)
    powers = torch.exp(scores - largest)
    totals = powers.sum(dim=-1, keepdim=True)
    weights = powers / totals
    outputs = weights @ v
    return outputs

# %% wrong: cosines
# wrong: divides by the lengths of the vectors in the place of the root (catalogue 11)
# says: the scores are cosines
# likely: the scores are cosines: each query and each key is divided by its own length, not by the root of d_k
# next: divide by one number for all: the root of how many components a query has
def scaled_dot_product_attention(q, k, v):
    a, b = (x / x.norm(dim=-1, keepdim=True) for x in (q, k))
    return torch.softmax(a @ b.transpose(-2, -1), dim=-1) @ v

# %% wrong: scaled_cosines
# wrong: divides by the lengths of the vectors, and by the root as well (catalogue 11)
# says: as well as by the root
# likely: each query and each key is divided by its own length, as well as by the root of d_k
# next: leave the lengths as they are, and divide the scores only by the root
def scaled_dot_product_attention(q, k, v):
    a, b = (x / x.norm(dim=-1, keepdim=True) for x in (q, k))
    return torch.softmax(a @ b.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: half_as_the_root
# wrong: half of d_k in the place of its root (catalogue 10)
# says: divided by half of d_k
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / (q.shape[-1] / 2), dim=-1) @ v

# %% wrong: by_twice_d
# wrong: `/ d ** 1 / 2` divides by d and by 2 (catalogue 10)
# says: divided by d_k and also by 2
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / (2 * q.shape[-1]), dim=-1) @ v

# %% wrong: scaled_outputs
# wrong: the scores are scaled, and the outputs once more (catalogue 13)
# says: both the scores and what comes after the softmax
# likely: both the scores and what comes after the softmax are divided by the root
# next: divide only the scores
def scaled_dot_product_attention(q, k, v):
    root = q.shape[-1] ** 0.5
    return torch.softmax(q @ k.transpose(-2, -1) / root, dim=-1) @ v / root

# %% wrong: root_of_one_side
# wrong: the fourth root on one side only
# says: divided by the fourth root of d_k
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q / q.shape[-1] ** 0.25 @ k.transpose(-2, -1), dim=-1) @ v

# %% wrong: distances
# wrong: minus the distance in the place of the dot product
# says: negative distances between queries and keys
# likely: the scores are negative distances between queries and keys, not dot products
# next: multiply each query by each key: `q @ k.transpose(-2, -1)`
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(-torch.cdist(q, k) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: dropout_on
# wrong: leaves out weights at random
# says: two calls with the same input give different results
def scaled_dot_product_attention(q, k, v):
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    keep = torch.rand(weights.shape) > 0.1
    return weights * keep / 0.9 @ v

# %% wrong: sigmoid
# wrong: a sigmoid in the place of the softmax: each key by itself (catalogue 5)
# says: a sigmoid is applied to each score by itself
# likely: a sigmoid is applied to each score by itself: the weights of a query do not sum to 1
# next: use a softmax over all keys of a query: `torch.softmax(scores, dim=-1)`
def scaled_dot_product_attention(q, k, v):
    return torch.sigmoid(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5) @ v

# %% wrong: queries_of_length_one
# wrong: divides each query by its own length in the place of the root (catalogue 11)
# says: each query is divided by its own length
# likely: each query is divided by its own length; the scores are not divided by the root of d_k
# next: divide by one number for all: the root of how many components a query has
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q / q.norm(dim=-1, keepdim=True) @ k.transpose(-2, -1), dim=-1) @ v

# %% wrong: keys_of_length_one
# wrong: divides each key by its own length in the place of the root (catalogue 11)
# says: each key is divided by its own length
# likely: each key is divided by its own length; the scores are not divided by the root of d_k
# next: divide by one number for all: the root of how many components a query has
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ (k / k.norm(dim=-1, keepdim=True)).transpose(-2, -1), dim=-1) @ v

# %% wrong: root_of_all_entries
# wrong: the root of the number of entries of q
# says: divided by the root of the number of entries of q
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.numel() ** 0.5, dim=-1) @ v

# %% wrong: powers_of_two
# wrong: 2 to the power of the scores
# says: powers of 2, not of e
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    powers = 2 ** (scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True) @ v

# %% wrong: own_token_hidden
# wrong: hides each query's own token
# says: no query looks at the key with its own number
# likely: no query looks at the key with its own number: there is a mask on the diagonal
# next: remove the mask: this rule hides no token
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    own = torch.eye(*s.shape[-2:], dtype=torch.bool)
    return torch.softmax(s.masked_fill(own, -1e9), dim=-1) @ v

# %% wrong: only_later
# wrong: hides earlier tokens: the mask is turned round
# says: no query looks at an earlier token
# likely: no query looks at an earlier token: there is a mask, and it is also reversed
# next: remove the mask: this rule hides no token
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    earlier = torch.ones(s.shape[-2:], dtype=torch.bool).tril(-1)
    return torch.softmax(s.masked_fill(earlier, -1e9), dim=-1) @ v
