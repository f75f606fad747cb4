# Right and wrong answers to `merge_heads`; authoring/README.md says how they are written.

# %% right: cat
def merge_heads(x):
    return torch.cat(list(x.unbind(1)), dim=-1)

# %% right: contiguous_view
def merge_heads(x):
    B, h, T, s = x.size()
    return x.transpose(1, 2).contiguous().view(B, T, -1)

# %% right: einsum_flatten
def merge_heads(x):
    return torch.einsum('bnts->btns', x).flatten(start_dim=2)

# %% right: hstack_per_sequence
def merge_heads(x):
    return torch.stack([torch.hstack(list(heads)) for heads in x])

# %% right: loop
def merge_heads(x):
    B, h, T, s = x.shape
    out = torch.zeros(B, T, h * s, dtype=x.dtype)
    for n in range(h):
        out[:, :, n * s:(n + 1) * s] = x[:, n]
    return out

# %% right: swapaxes
def merge_heads(x):
    return x.swapaxes(1, 2).flatten(2)

# %% right: transpose_reshape
def merge_heads(x):
    B, h, T, s = x.size()
    return x.permute(0, 2, 1, 3).reshape(B, T, h * s)

# %% wrong: changes_input
# wrong: exchanges in place (catalogue 41)
# says: an in-place operation
def merge_heads(x):
    result = x.transpose(1, 2).flatten(2)
    x.mul_(0)
    return result

# %% wrong: first_head_repeated
# wrong: repeats the first head (catalogue 29)
# says: no mistake that this check knows
def merge_heads(x):
    return torch.cat([x[:, 0]] * x.shape[1], dim=-1)

# %% wrong: float32_result
# wrong: converts to float32 (catalogue 43)
# says: only the hidden tests see it
def merge_heads(x):
    return x.float().transpose(1, 2).flatten(2)

# %% wrong: heads_reversed
# wrong: the last head comes first (catalogue 29)
# says: no mistake that this check knows
def merge_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=-1)

# %% wrong: interleaved
# wrong: numbers of the heads alternate (catalogue 24)
# says: numbers of the heads alternate
def merge_heads(x):
    return x.permute(0, 2, 3, 1).flatten(2)

# %% wrong: one_sequence_only
# wrong: merges x[0] only (catalogue 44)
# says: shape
def merge_heads(x):
    return torch.cat(list(x[0]), dim=-1)

# %% wrong: reshape_alone
# wrong: no exchange before joining: tokens mixed (catalogue 23)
# says: without bringing the tokens back
def merge_heads(x):
    B, h, T, s = x.shape
    return x.reshape(B, T, h * s)

# %% wrong: rounded
# wrong: rounds (catalogue 50)
# says: only the hidden tests see it
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).round(decimals=3)

# %% wrong: squeezed
# wrong: squeeze() drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).squeeze()

# %% wrong: stays_open
# wrong: exchanges and does not join
# says: shape
def merge_heads(x):
    return x.transpose(1, 2)

# %% wrong: sum_of_heads
# wrong: adds the heads (catalogue 28)
# says: added up instead of put side by side
def merge_heads(x):
    return x.sum(dim=1)

# %% wrong: view_after_transpose
# wrong: view on exchanged axes (catalogue 25)
# says: your code raised RuntimeError
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(1, 2).view(B, T, h * s)

# %% wrong: wrong_exchange
# wrong: exchanges the last two axes
# says: the last two axes were exchanged
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(2, 3).reshape(B, T, h * s)
