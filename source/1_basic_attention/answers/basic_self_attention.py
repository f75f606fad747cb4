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

# %% wrong: batch_as_one_sequence
# wrong: flattens the batch: tokens look at other sequences (catalogue 45)
# says: treated as one long sequence
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
# says: the largest difference
def basic_self_attention(x):
    return x @ torch.softmax(x.transpose(1, 2) @ x, dim=-1)

# %% wrong: first_sequence_only
# wrong: uses x[0] for every sequence (catalogue 44)
# says: the first sequence is used for all
def basic_self_attention(x):
    weights = torch.softmax(x[0] @ x[0].T, dim=-1)
    return (weights @ x[0]).expand(x.shape).clone()

# %% wrong: float32_result
# wrong: computes in float32: half the digits are gone (catalogue 43)
# says: only the hidden tests see it
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
def basic_self_attention(x):
    scores = x @ x.transpose(1, 2)
    weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)
    return weights @ x

# %% wrong: over_batch
# wrong: softmax over the batch (catalogue 3)
# says: the softmax runs over the batch
def basic_self_attention(x):
    return torch.softmax(x @ x.transpose(1, 2), dim=0) @ x

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: you normalised over queries
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
def basic_self_attention(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)

# %% wrong: scores_as_weights
# wrong: forgets the softmax
# says: there is no softmax
def basic_self_attention(x):
    return x @ x.transpose(1, 2) @ x

# %% wrong: squeezed
# wrong: squeeze() drops the batch of one or the single token (catalogue 46)
# says: an axis of length 1 was dropped
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
