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

# %% wrong: after_softmax
# wrong: divides the weights (catalogue 13)
# says: after the softmax
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) / q.shape[-1] ** 0.5 @ v

# %% wrong: batch_as_one_sequence
# wrong: queries look at the keys of other sequences (catalogue 45)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    a, b, c = (t.reshape(-1, t.shape[-1]) for t in (q, k, v))
    return (torch.softmax(a @ b.T / q.shape[-1] ** 0.5, dim=-1) @ c).reshape(*q.shape[:-1], v.shape[-1])

# %% wrong: by_d
# wrong: divides by d_k (catalogue 10)
# says: divided by d itself
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1], dim=-1) @ v

# %% wrong: by_keys
# wrong: divides by the root of the number of keys (catalogue 12)
# says: another length than the one
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5, dim=-1) @ v

# %% wrong: by_queries
# wrong: divides by the root of the number of queries (catalogue 12)
# says: another length than the one
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-2] ** 0.5, dim=-1) @ v

# %% wrong: by_values
# wrong: divides by the root of d_v (catalogue 12)
# says: another length than the one
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
# says: the array does not have
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=2) @ v

# %% wrong: first_only
# wrong: the first sequence for all (catalogue 44)
# says: the first sequence is used for all
def scaled_dot_product_attention(q, k, v):
    if q.dim() < 3:
        return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v
    one = torch.softmax(q[0] @ k[0].transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v[0]
    return one.expand(len(q), *one.shape)

# %% wrong: fixed_dimension
# wrong: divides by the root of 5, the card's d_k (catalogue 42)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / 5 ** 0.5, dim=-1) @ v

# %% wrong: float32_result
# wrong: computes in float32 (catalogue 43)
# says: only the hidden tests see it
 def scaled_dot_product_attention(q, k, v):
+    q, k, v = q.float(), k.float(), v.float()

# %% wrong: keys_for_values
# wrong: mixes the keys (catalogue 15)
# says: shape (2, 3, 5)
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ k

# %% wrong: masked
# wrong: looks at earlier tokens only: a mask nobody asked for (catalogue 34)
# says: the largest difference
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
# says: multiplied by the root
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
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(s.flatten(-2), dim=-1).view_as(s) @ v

# %% wrong: over_batch
# wrong: softmax over the first axis (catalogue 3)
# says: the softmax runs over the batch
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=0) @ v

# %% wrong: over_queries
# wrong: softmax over dim=-2 (catalogue 1)
# says: adds up over the queries
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-2) @ v

# %% wrong: reverses_all_axes
# wrong: permutes the batch away (catalogue 44)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.permute(*reversed(range(k.dim()))) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def scaled_dot_product_attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v).squeeze()

# %% wrong: swapped_roles
# wrong: keys ask (catalogue 16)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v

# %% wrong: twice
# wrong: scales q and the scores (catalogue 10)
# says: divided by d itself
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
def scaled_dot_product_attention(q, k, v):
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 @ v

# %% wrong: without_sum
# wrong: does not normalise (catalogue 5)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.exp(s - s.amax(-1, keepdim=True)) @ v
