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

# %% right: heads_side_by_side_by_reduce
def merge_heads(x):
    from functools import reduce
    return reduce(lambda left, right: torch.cat((left, right), dim=-1), x.unbind(dim=1))

# %% right: vmap_over_sequences
merge_heads = torch.vmap(lambda one: one.movedim(0, 1).flatten(1))

# %% right: fills_an_empty_one
def merge_heads(x):
    out = x.new_empty(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])
    out.unflatten(-1, (x.shape[1], x.shape[3])).copy_(x.permute(0, 2, 1, 3))
    return out

# %% wrong: changes_input
# wrong: exchanges in place (catalogue 41)
# says: an in-place operation
def merge_heads(x):
    result = x.transpose(1, 2).flatten(2)
    x.mul_(0)
    return result

# %% wrong: first_head_repeated
# wrong: repeats the first head (catalogue 29)
# says: the first head is repeated
# likely: the first head is repeated
# next: compare that step with *Pseudocode* in the card
def merge_heads(x):
    return torch.cat([x[:, 0]] * x.shape[1], dim=-1)

# %% wrong: float32_result
# wrong: converts to float32 (catalogue 43)
# says: the type changed on the way
def merge_heads(x):
    return x.float().transpose(1, 2).flatten(2)

# %% wrong: heads_reversed
# wrong: the last head comes first (catalogue 29)
# says: the last head comes first
# likely: the last head comes first
# next: compare that step with *Pseudocode* in the card
def merge_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=-1)

# %% wrong: interleaved
# wrong: components of the heads alternate (catalogue 24)
# says: components of the heads alternate
# likely: the components of the heads alternate
# next: one head after the other: join the axes (h, s) in this order
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
# likely: the heads are merged without bringing the tokens back in front of the heads, so a row mixes several tokens
# next: exchange the axes of heads and tokens first, then join the last two with `reshape`
def merge_heads(x):
    B, h, T, s = x.shape
    return x.reshape(B, T, h * s)

# %% wrong: rounded
# wrong: rounds (catalogue 50)
# says: the numbers are converted on the way, or computed with, where
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).round(decimals=3)

# %% wrong: squeezed
# wrong: squeeze() drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
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
# likely: the heads are added up instead of put side by side
# next: keep the heads apart until `unifyheads` mixes them
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
# says: the last two axes are exchanged
# likely: the last two axes are exchanged, not heads and tokens
# next: exchange axes 1 and 2
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(2, 3).reshape(B, T, h * s)

# %% wrong: padded_and_summed
# wrong: sums padded heads: the sum of small integers or booleans is int64 (catalogue 43)
# says: the type changed on the way
def merge_heads(x):
    B, h, T, s = x.shape
    wide = torch.zeros(B, h, T, h * s, dtype=x.dtype)
    for n in range(h):
        wide[:, n, :, n * s:(n + 1) * s] = x[:, n]
    return wide.sum(dim=1)

# %% wrong: squeezes_one_head
# wrong: one head is squeezed on all axes (catalogue 46)
# says: removes every axis of length 1
def merge_heads(x):
    B, h, T, s = x.shape
    if h == 1:
        return x.squeeze()
    return x.transpose(1, 2).reshape(B, T, h * s)

# %% wrong: tidies_up_nan
# wrong: replaces nan and inf, in its input, too (catalogue 41)
# says: a parameter is changed in place, but torch tracks its gradient
def merge_heads(x):
    B, h, T, s = x.shape
    x.nan_to_num_()
    return x.permute(0, 2, 1, 3).reshape(B, T, h * s)

# %% wrong: batch_fixed_at_first_call
# wrong: keeps the sizes of the first call (catalogue 42)
# says: your code raised RuntimeError
first_sizes = []

def merge_heads(x):
    if not first_sizes:
        first_sizes.extend(x.shape)
    B, h, T, s = first_sizes
    return x.transpose(1, 2).reshape(B, T, h * s)

# %% wrong: equal_sizes
# wrong: takes as many heads as tokens for axes that are exchanged already
# says: the result holds the numbers of `x` in their original order
def merge_heads(x):
    if x.shape[1] == x.shape[2]:
        return x.flatten(2)
    return x.transpose(1, 2).flatten(2)

# %% wrong: same_steps_as_split
# wrong: takes the steps of split once more (catalogue 23)
# says: your result is `x` read as (B, T, heads, s)
def merge_heads(x):
    B, h, T, s = x.shape
    return x.reshape(B, T, h, s).transpose(1, 2).reshape(B, T, h * s)

# %% wrong: sequences_side_by_side
# wrong: joins the sequences, not the heads (catalogue 45)
# says: in the shape (heads, T, B·s)
def merge_heads(x):
    return torch.cat(list(x), dim=-1)

# %% wrong: head_0_twice
# wrong: head 0 is there twice (catalogue 29)
# says: number 0 2 times
def merge_heads(x):
    return torch.cat([x[:, 0], *x.unbind(1)], dim=-1)

# %% right: step_by_step
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(1, 2).reshape(B, T, h * s)
