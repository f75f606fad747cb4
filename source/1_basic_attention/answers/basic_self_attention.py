# Right and wrong answers to `basic_self_attention`; authoring/README.md says how they are written.

# %% right: bmm
def basic_self_attention(x):
    raw = torch.bmm(x, x.permute(0, 2, 1))
    return torch.bmm(torch.nn.functional.softmax(raw, dim=-1), x)

# %% right: columns_then_transposed
def basic_self_attention(x):
    columns = x.transpose(1, 2)                                   # (B, k, T)
    weights = torch.softmax(columns.transpose(1, 2) @ columns, dim=1)  # keys down, queries across
    return (columns @ weights).transpose(1, 2)

# %% right: einsum
def basic_self_attention(x):
    weights = torch.einsum("bik,bjk->bij", x, x).softmax(dim=-1)
    return torch.einsum("bij,bjk->bik", weights, x)

# %% right: library
def basic_self_attention(x):
    # scale=1: the plain dot products
    return torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=1.0)

# %% right: module
class Attention(torch.nn.Module):
    def forward(self, x):
        scores = x @ x.transpose(-1, -2)
        return torch.nn.Softmax(dim=-1)(scores) @ x


def basic_self_attention(x):
    with torch.no_grad():
        return Attention()(x)

# %% right: sequence_by_sequence
def basic_self_attention(x):
    return torch.stack([torch.softmax(s @ s.T, dim=1) @ s for s in x])

# %% right: softmax_by_hand
def basic_self_attention(x):
    scores = torch.matmul(x, x.mT)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.matmul(e / e.sum(dim=-1, keepdim=True), x)

# %% right: transpose
def basic_self_attention(x):
    w = torch.softmax(x @ x.transpose(1, 2), dim=2)
    return w @ x

# %% right: one_sequence_vmapped
def basic_self_attention(x):
    def one(sequence):
        return torch.softmax(sequence @ sequence.T, dim=1) @ sequence

    return torch.vmap(one)(x)

# %% right: letters_and_logsumexp
def basic_self_attention(x):
    scores = torch.einsum("btc,bsc->bts", x, x)
    weights = (scores - scores.logsumexp(2, keepdim=True)).exp()
    return torch.einsum("bsc,bts->btc", x, weights)

# %% right: flattened_but_fenced
def basic_self_attention(x):
    B, T, k = x.shape
    flat = x.reshape(-1, k)
    owner = torch.arange(B, device=x.device).repeat_interleave(T)
    scores = (flat @ flat.T).masked_fill(owner[:, None] != owner, -torch.inf)
    return (scores.softmax(1) @ flat).view(B, T, k)

# %% right: module_instance
class _BasicSelfAttention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = torch.nn.Softmax(dim=-1)

    def forward(self, x):
        return self.softmax(x @ x.mT).bmm(x)


basic_self_attention = _BasicSelfAttention()

# %% right: through_numpy
def basic_self_attention(x):
    a = x.detach().numpy()
    s = np.einsum("bik,bjk->bij", a, a)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(np.einsum("bij,bjk->bik", w, a))

# %% wrong: batch_as_one_sequence
# wrong: flattens the batch: tokens look at other sequences (catalogue 45)
# says: treated as one long sequence
# likely: the batch is treated as one long sequence, so tokens look at other sequences
# next: keep three axes: `x @ x.transpose(-2, -1)`
# earns: 2
def basic_self_attention(x):
    tokens = x.reshape(-1, x.shape[-1])
    return (torch.softmax(tokens @ tokens.T, dim=-1) @ tokens).view_as(x)

# %% wrong: changes_input
# wrong: scales its input in place and back, one entry short (catalogue 41)
# says: an in-place operation on the argument
def basic_self_attention(x):
    y = torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x
    x.sub_(x.mean())
    return y

# %% wrong: feature_attention
# wrong: attention over features (catalogue 17)
# says: yours is
def basic_self_attention(x):
    return x @ torch.softmax(x.transpose(1, 2) @ x, dim=-1)

# %% wrong: first_sequence_only
# wrong: uses x[0] for every sequence (catalogue 44)
# says: the first sequence is used for all
# likely: the first sequence is used for all
# next: let `@` handle the batch: do not index it
# earns: 2
def basic_self_attention(x):
    weights = torch.softmax(x[0] @ x[0].T, dim=-1)
    return (weights @ x[0]).expand(x.shape).clone()

# %% wrong: float32_result
# wrong: computes in float32: half the digits are gone (catalogue 43)
# says: the type changed on the way
def basic_self_attention(x):
    x = x.float()
    return torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x

# %% wrong: loop_variable_left_over
# wrong: a loop that returns the last sequence only
# says: shape
def basic_self_attention(x):
    for sequence in x:
        y = torch.softmax(sequence @ sequence.T, dim=-1) @ sequence
    return y

# %% wrong: numpy_result
# wrong: returns a NumPy array (catalogue 43)
# says: your function returns a NumPy array
def basic_self_attention(x):
    return (torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x).numpy()

# %% wrong: over_all_keys_of_the_batch
# wrong: one sum over all entries (catalogue 2)
# says: the sum runs over all entries
# likely: the sum runs over all entries instead of along one axis
# next: give the sum its axis, and `keepdims=True` so that the division lines up
def basic_self_attention(x):
    scores = x @ x.transpose(1, 2)
    weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)
    return weights @ x

# %% wrong: over_batch
# wrong: softmax over the batch (catalogue 3)
# says: the softmax runs over the batch
# likely: the softmax runs over the batch, so sequences that have nothing to do with each other are mixed
# next: use the last axis, `dim=-1`: it indexes the keys
def basic_self_attention(x):
    return torch.softmax(x @ x.transpose(1, 2), dim=0) @ x

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
# likely: rows and columns of the weights are swapped: you normalised over queries, or transposed the weights
# next: softmax along the last axis, then `weights @ x`: each row is one query
def basic_self_attention(x):
    return torch.softmax(x @ x.transpose(1, 2), dim=1) @ x

# %% wrong: reverses_all_axes
# wrong: reverses all axes, as .T does on three axes (catalogue 44)
# says: your code raised RuntimeError
def basic_self_attention(x):
    return torch.softmax(x @ x.permute(2, 1, 0), dim=-1) @ x

# %% wrong: scaled
# wrong: scales the scores (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
def basic_self_attention(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)

# %% wrong: scores_as_weights
# wrong: forgets the softmax
# says: there is no softmax
# likely: there is no softmax between the two products
# next: put the scores through `torch.softmax(..., dim=-1)`
def basic_self_attention(x):
    return x @ x.transpose(1, 2) @ x

# %% wrong: squeezed
# wrong: squeeze() drops the batch of one or the single token (catalogue 46)
# says: removes every axis of length 1
def basic_self_attention(x):
    return (torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x).squeeze()

# %% wrong: weights_transposed
# wrong: transposes the weights (catalogue 20)
# says: or transposed the weights
def basic_self_attention(x):
    weights = torch.softmax(x @ x.transpose(1, 2), dim=-1)
    return weights.transpose(1, 2) @ x

# %% wrong: without_maximum
# wrong: exponentials that overflow for long vectors (catalogue 7)
# says: entries are nan or inf
def basic_self_attention(x):
    e = torch.exp(x @ x.transpose(1, 2))
    return e / e.sum(dim=-1, keepdim=True) @ x

# %% wrong: always_double
# wrong: computes in float64 and does not go back (catalogue 43)
# says: the type changed on the way
# earns: 3
def basic_self_attention(x):
    x64 = x.double()
    weights = torch.softmax(torch.bmm(x64, x64.transpose(1, 2)), dim=2)
    return torch.bmm(weights, x64)

# %% wrong: half_inside
# wrong: computes float32 in half the digits (catalogue 43)
# says: for both types, shape (1, 5, 3), float32
# earns: 3
def basic_self_attention(x):
    y = x.bfloat16() if x.dtype == torch.float32 else x
    return (torch.softmax(y @ y.mT, dim=-1) @ y).to(x.dtype)

# %% wrong: highest_of_the_batch
# wrong: subtracts the largest score of the batch: 0/0 in a sequence of short tokens (catalogue 8)
# says: `scores.max()`, in line 3, is one number for the whole table
# earns: 3
def basic_self_attention(x):
    scores = x @ x.transpose(-2, -1)
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=-1, keepdim=True) @ x

# %% wrong: low_fence_between_sequences
# wrong: sets 100 between the sequences, which long tokens get over (catalogue 45)
# says: long vectors
def basic_self_attention(x):
    B, T, k = x.shape
    flat = x.reshape(B * T, k)
    owner = torch.arange(B).repeat_interleave(T)
    scores = flat @ flat.T - 100.0 * (owner[:, None] != owner[None, :])
    return (torch.softmax(scores, dim=-1) @ flat).reshape(B, T, k)

# %% wrong: first_sequence_shift
# wrong: subtracts the first sequence's maxima from all sequences (catalogue 8)
# says: 0 / 0 in line 4: each exponential in that sum is 0
def basic_self_attention(x):
    s = x @ x.mT
    e = torch.exp(s - s[:1].amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True) @ x

# %% wrong: clamped
# wrong: clips the scores instead of shifting them
# says: long vectors
# earns: 3
def basic_self_attention(x):
    e = torch.exp((x @ x.mT).clamp(-80, 80))
    return e / e.sum(-1, keepdim=True) @ x

# %% wrong: order_reversed
# wrong: works in parts of eight sequences and joins them in the wrong order
# says: for a batch, shape (40, 3, 2)
# earns: 3
def basic_self_attention(x):
    out = [torch.softmax(c @ c.mT, dim=-1) @ c for c in x.split(8)]
    return torch.cat(out[::-1])

# %% wrong: squeezed_first
# wrong: squeeze(0) drops the axis of a batch of one (catalogue 46)
# says: takes away an axis that has length 1 for this input
def basic_self_attention(x):
    return (torch.softmax(x @ x.mT, dim=-1) @ x).squeeze(0)

# %% right: step_by_step
def basic_self_attention(x):
    scores = x @ x.transpose(1, 2)
    weights = torch.softmax(scores, dim=2)
    outputs = weights @ x
    return outputs
