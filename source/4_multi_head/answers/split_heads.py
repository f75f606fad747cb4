# Right and wrong answers to `split_heads`; authoring/README.md says how they are written.

# %% right: einsum
def split_heads(x, heads):
    B, T, E = x.shape
    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))

# %% right: chunk_and_stack
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)

# %% right: four_loops
def split_heads(x, heads):
    B, T, E = x.shape
    s = E // heads
    return torch.stack([torch.stack([torch.stack([x[b, t, n * s:n * s + s] for t in range(T)]) for n in range(heads)]) for b in range(B)])

# %% right: movedim_and_prints
def split_heads(x, heads):
    B, T, E = x.shape
    print('splitting', x.shape)
    return torch.movedim(x.contiguous().view(B, T, heads, E // heads), 2, 1)

# %% right: slices_in_a_loop
def split_heads(x, heads):
    B, T, E = x.shape
    s = E // heads
    result = torch.empty(B, heads, T, s, dtype=x.dtype)
    for n in range(heads):
        result[:, n] = x[:, :, n * s:(n + 1) * s]
    return result

# %% right: split_and_stack
def split_heads(x, heads):
    s = x.shape[-1] // heads
    return torch.stack(torch.split(x, s, dim=2), 1)

# %% right: unflatten_permute
def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3)

# %% right: view_then_transpose
def split_heads(x, heads):
    B, T, E = x.size()
    return x.reshape(B, T, heads, E // heads).transpose(1, 2).contiguous()

# %% right: windows_without_overlap
def split_heads(x, heads):
    s = x.shape[-1] // heads
    return x.unfold(-1, s, s).movedim(2, 1)

# %% right: strides_of_x
def split_heads(x, heads):
    B, T, E = x.shape
    b, t, e = x.stride()
    s = E // heads
    return torch.as_strided(x, (B, heads, T, s), (b, s * e, t, e), x.storage_offset())

# %% right: table_of_places
def split_heads(x, heads):
    table = np.arange(x.size(-1)).reshape(heads, -1).tolist()
    return torch.stack([x[..., places] for places in table], dim=-3)

# %% wrong: batch_and_heads
# wrong: puts the heads in front of the batch
# says: heads come before the batch
# likely: the heads come before the batch
# next: keep the batch first: (B, heads, T, s)
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=0)

# %% wrong: changes_input
# wrong: zeroes what it has copied (catalogue 41)
# says: an in-place operation
def split_heads(x, heads):
    result = torch.stack(x.chunk(heads, dim=-1), dim=1)
    x.zero_()
    return result

# %% wrong: chunks_of_tokens
# wrong: shares out the tokens, not their components
# says: shape
# likely: the tokens are divided among the heads, not their components
# next: cut the last axis, the components of each token
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=1), dim=1)

# %% wrong: first_sequence
# wrong: uses x[0] for every sequence (catalogue 44)
# says: x[0] is used for every sequence
# likely: x[0] is used for every sequence
# next: compare that step with *Pseudocode* in the card
def split_heads(x, heads):
    B, T, E = x.shape
    one = torch.stack(x[0].chunk(heads, dim=-1))
    return one.expand(B, heads, T, E // heads)

# %% wrong: fixed_sizes
# wrong: sizes of the example are typed in (catalogue 42)
# says: your code raised RuntimeError
def split_heads(x, heads):
    return x.reshape(2, 3, 2, 2).transpose(1, 2)

# %% wrong: float32_result
# wrong: converts to float32: half the digits are gone (catalogue 43)
# says: the type changed on the way
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.float().reshape(B, T, heads, E // heads).transpose(1, 2)

# %% wrong: heads_last
# wrong: leaves the axes as (B, T, h, s) (catalogue 26)
# says: the exchange is missing
# likely: the axes are (B, T, heads, s): the exchange is missing
# next: exchange the axes of tokens and heads
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.reshape(B, T, heads, E // heads)

# %% wrong: interleaved
# wrong: every h-th component goes to the same head (catalogue 24)
# says: every h-th component
# likely: each head gets every h-th component instead of s adjacent ones
# next: read the last axis as (heads, s), in this order
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.reshape(B, T, E // heads, heads).permute(0, 3, 1, 2)

# %% wrong: list_of_heads
# wrong: returns a list of heads (catalogue 43)
# says: your function returns a list
def split_heads(x, heads):
    return list(x.chunk(heads, dim=-1))

# %% wrong: no_return
# wrong: computes and forgets to return (catalogue 43)
# says: your function returns None
def split_heads(x, heads):
    y = torch.stack(x.chunk(heads, dim=-1), dim=1)

# %% wrong: numpy_result
# wrong: returns a NumPy array (catalogue 43)
# says: your function returns a NumPy array
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.numpy().reshape(B, T, heads, E // heads).transpose(0, 2, 1, 3)

# %% wrong: squeezed
# wrong: squeeze() drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1).squeeze()

# %% wrong: two_heads_always
# wrong: always cuts in two (catalogue 42)
# says: shape
def split_heads(x, heads):
    return torch.stack(x.chunk(2, dim=-1), dim=1)

# %% wrong: view_alone
# wrong: view without the exchange: tokens mixed (catalogue 22)
# says: cut by `view` alone
# likely: the heads are cut by `view` alone, so a head holds whole tokens, each head those of another piece of the sequence
# next: cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.reshape(B, heads, T, E // heads)

# %% wrong: view_of_the_memory
# wrong: view fails on a tensor whose axes were exchanged before (catalogue 25)
# says: for a tensor whose axes were exchanged before, shape (2, 2,
-    return torch.einsum('btns->bnts', x.reshape(B, T, heads, -1))
+    return x.as_strided((B, heads, T, E // heads), (T * E, E // heads, E, 1))

# %% wrong: selects_by_matrix_product
# wrong: picks components by a product with 0 and 1: 0 times inf is nan
# says: your code computes with the numbers, and torch has no such
def split_heads(x, heads):
    B, T, E = x.shape
    pick = torch.eye(E, dtype=x.dtype).view(E, heads, E // heads)
    return torch.einsum("bte,enj->bntj", x, pick)

# %% wrong: through_numpy
# wrong: goes through NumPy, which takes no tensor with gradients
# says: tokens of type torch.bfloat16
def split_heads(x, heads):
    B, T, E = x.shape
    return torch.from_numpy(x.numpy().reshape(B, T, heads, E // heads).swapaxes(1, 2))

# %% wrong: remembers_by_shape
# wrong: remembers the places by shape, without the number of heads
# says: `places_of_shape = {}` in line 1 is made only once and
places_of_shape = {}

def split_heads(x, heads):
    B, T, E = x.shape
    if x.shape not in places_of_shape:
        places_of_shape[x.shape] = torch.arange(E).view(heads, E // heads)
    return x[:, :, places_of_shape[x.shape]].transpose(1, 2)

# %% wrong: remembers_by_shape_and_heads
# wrong: remembers the result by shape: other numbers get the old ones
# says: tokens with all their digits
kept = {}
def split_heads(x, heads):
    key = (x.shape, heads)
    if key not in kept:
        kept[key] = x.unflatten(-1, (heads, -1)).transpose(1, 2).clone()
    return kept[key]

# %% wrong: through_float32
# wrong: goes through float32 and back: digits are lost
# says: the numbers are converted on the way, or computed with, where
def split_heads(x, heads):
    return x.float().unflatten(-1, (heads, -1)).transpose(1, 2).to(x.dtype)

# %% wrong: pieces_of_size_heads
# wrong: torch's split gets the number of heads, and wants the size of a piece
# says: pieces have `heads` components each
# likely: the pieces have `heads` components each, and there are s of them: number and size are swapped
# next: torch's `split` takes the size of a piece, `chunk` their number
def split_heads(x, heads):
    return torch.stack(x.split(heads, dim=-1), dim=1)

# %% wrong: exchange_before_cut
# wrong: exchanges before it cuts (catalogue 22)
# says: your result is `x` with its axes in the order (B, heads·s, T), in the shape (B, heads, T, s)
def split_heads(x, heads):
    B, T, E = x.shape
    return x.transpose(1, 2).reshape(B, heads, T, E // heads)

# %% wrong: windows_that_overlap
# wrong: windows that overlap
# says: are there several times in your result
def split_heads(x, heads):
    s = x.shape[-1] // heads
    return x.unfold(2, s, 1).transpose(1, 2)

# %% right: step_by_step
def split_heads(x, heads):
    B, T, k = x.shape
    s = k // heads
    return x.reshape(B, T, heads, s).transpose(1, 2)
