# Right and wrong answers to `padded_weights`; authoring/README.md says how they are written.

# %% right: step_by_step
def padded_weights(scores, lengths):
    T = scores.shape[-1]
    places = torch.arange(T)
    padding = places >= lengths[:, None, None, None]
    scores = scores.masked_fill(padding, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights

# %% right: own_softmax
def padded_weights(scores, lengths):
    T = scores.shape[-1]
    places = torch.arange(T)
    padding = places >= lengths[:, None, None, None]
    scores = scores.masked_fill(padding, float("-inf"))
    largest = scores.amax(dim=-1, keepdim=True)
    powers = torch.exp(scores - largest)
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights

# %% right: by_loops
def padded_weights(scores, lengths):
    B, heads, T, _ = scores.shape
    weights = torch.zeros_like(scores)
    for b in range(B):
        for n in range(heads):
            for i in range(T):
                there = int(lengths[b])
                weights[b, n, i, :there] = torch.softmax(scores[b, n, i, :there], dim=0)
    return weights

# %% right: filled_up_with_zeros
def padded_weights(scores, lengths):
    T = scores.size(3)
    there = [nn.functional.softmax(own[:, :, :length], dim=2) for own, length in zip(scores, lengths.tolist())]
    return torch.stack([nn.functional.pad(weights, (0, T - weights.size(2))) for weights in there])

# %% right: triangle_of_masks
def padded_weights(scores, lengths):
    T = scores.shape[3]
    rows = torch.ones(T, T, dtype=torch.bool).tril()[lengths - 1]
    return torch.where(rows.view(-1, 1, 1, T), scores, torch.tensor(-math.inf, dtype=scores.dtype)).softmax(-1)

# %% right: added_mask
def padded_weights(scores, lengths):
    added = torch.zeros(len(lengths), scores.shape[-1], dtype=scores.dtype)
    for row, length in zip(added, lengths):
        row[length:] = -math.inf
    return torch.softmax(scores + added[:, None, None], dim=-1)

# %% right: very_low
def padded_weights(scores, lengths):
    masked = scores.clone()
    for b in range(len(masked)):
        masked[b, ..., lengths[b]:] = torch.finfo(scores.dtype).min
    return torch.softmax(masked, dim=-1)

# %% right: logarithm_of_the_sum
def padded_weights(scores, lengths):
    there = (torch.arange(scores.shape[-1])[None] < lengths[:, None])[:, None, None]
    low = torch.where(there, scores, scores.new_tensor(-1e30))
    return torch.exp(low - torch.logsumexp(low, dim=-1, keepdim=True)) * there

# %% right: numpy_inside
import numpy as np

def padded_weights(scores, lengths):
    s = scores.detach().numpy().copy()
    s[np.broadcast_to(np.arange(s.shape[-1]) >= lengths.numpy().reshape(-1, 1, 1, 1), s.shape)] = -np.inf
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True))

# %% right: identity_as_values
def padded_weights(scores, lengths):
    B, heads, T, _ = scores.shape
    keep = torch.stack([torch.cat([torch.ones(n), torch.zeros(T - n)]) for n in lengths.tolist()]).bool()
    one = torch.eye(T, dtype=scores.dtype).expand(B, heads, T, T)
    added = scores.masked_fill(~keep[:, None, None, :], -math.inf)
    return nn.functional.scaled_dot_product_attention(one * 0, one, one, attn_mask=added)

# %% right: grouped_by_length
def padded_weights(scores, lengths):
    weights = scores.new_zeros(scores.shape)
    for n in set(lengths.tolist()):
        own = lengths == n
        part = scores[own][..., :n]
        e = (part - part.max(dim=-1, keepdim=True).values).exp()
        weights[own, :, :, :n] = e / torch.einsum("bhij->bhi", e).unsqueeze(-1)
    return weights

# %% wrong: no_mask
# wrong: padding is a key like any other
# says: the padding
# likely: the keys of the padding get weight like any other key
# next: set their scores to −∞ before the softmax
-    scores = scores.masked_fill(padding, float("-inf"))

# %% wrong: mask_dropped
# wrong: the result of masked_fill is dropped (catalogue 39)
# says: the padding
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores.masked_fill(padding, float("-inf"))

# %% wrong: mask_on_queries
# wrong: masks the rows of the padding, not its columns (catalogue 36)
# says: is on the queries
# likely: the mask is on the queries, not on the keys, so whole rows are −∞
# next: mask the keys, the last axis: shape (B, 1, 1, T)
-    padding = places >= lengths[:, None, None, None]
+    padding = places[:, None] >= lengths[:, None, None, None]

# %% wrong: queries_of_the_padding_too
# wrong: masks queries of the padding as well: whole rows of −∞ (catalogue 37)
# says: is also on the queries
# likely: the mask is also on the queries of the padding, so whole rows are −∞
# next: mask keys only: a query of the padding also gets the softmax over the tokens that are there
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths[:, None, None, None]
+    padding = padding | padding.transpose(2, 3)

# %% wrong: rows_of_the_padding_zero
# wrong: queries of the padding get no weights at all (catalogue 37)
# says: queries
# likely: the queries of the padding have weight 0 for every key
# next: leave the queries alone: their rows are also a softmax over the tokens that are there
-    return weights
+    return weights.masked_fill(padding.transpose(2, 3), 0)

# %% wrong: rows_of_the_padding_uniform
# wrong: queries of the padding share their weights equally among all keys (catalogue 37)
# says: queries
# likely: the queries of the padding give the same weight to every key, even to the padding
# next: make their rows a softmax over the tokens that are there
-    return weights
+    return torch.where(padding.transpose(2, 3), 1 / T, weights)

# %% wrong: queries_not_keys
# wrong: masks queries with a low number, so that their rows are shared equally (catalogue 36)
# says: is on the queries
# likely: the mask is on the queries, not on the keys
# next: mask the keys, the last axis: shape (B, 1, 1, T)
-    padding = places >= lengths[:, None, None, None]
-    scores = scores.masked_fill(padding, float("-inf"))
+    padding = places[:, None] >= lengths[:, None, None, None]
+    scores = scores.masked_fill(padding, -1e30)

# %% wrong: one_token_too_many
# wrong: the first padding is still seen (catalogue 35)
# says: first key of the padding
# likely: the first key of the padding still gets weight
# next: mask key j where j ≥ length: positions are counted from 0
-    padding = places >= lengths[:, None, None, None]
+    padding = places > lengths[:, None, None, None]

# %% wrong: one_token_too_few
# wrong: the last token is masked, too: nan for one token (catalogue 35)
# says: the last token
# likely: the last token of each sequence is masked, too
# next: mask key j where j ≥ length: keys 0 … length − 1 stay
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths[:, None, None, None] - 1

# %% wrong: one_token_too_few_but_one
# wrong: the last token is masked, too, if there are several (catalogue 35)
# says: the last token
# likely: the last token of each sequence is masked, too, if another one is left
# next: mask key j where j ≥ length: keys 0 … length − 1 stay
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= (lengths[:, None, None, None] - 1).clamp(min=1)

# %% wrong: inverted
# wrong: masks the tokens that are there (catalogue 34)
# says: inverted
# likely: the mask is inverted: it hides the tokens that are there
# next: mask key j where j ≥ length: padding begins at position `length`
-    padding = places >= lengths[:, None, None, None]
+    padding = places < lengths[:, None, None, None]

# %% wrong: padding_in_front
# wrong: takes the padding to come first
# says: padding came first
# likely: the first keys of a sequence are masked, as if the padding came first
# next: mask the keys from number `length` on: the tokens that are there come first
-    padding = places >= lengths[:, None, None, None]
+    padding = places < T - lengths[:, None, None, None]

# %% wrong: after_the_softmax
# wrong: masks the weights, whose rows no longer sum to 1 (catalogue 32)
# says: after the softmax
# likely: the padding is set to 0 after the softmax, so rows no longer sum to 1
# next: set the scores of the padding to −∞ before the softmax
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=-1).masked_fill(padding, 0)

# %% wrong: shared_out_again
# wrong: masks after the softmax and divides again: 0 / 0 where the padding had it all (catalogue 32)
# says: nan
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=-1).masked_fill(padding, 0)
+    weights = weights / weights.sum(dim=-1, keepdim=True)

# %% wrong: scores_to_zero
# wrong: scores of the padding to 0 (catalogue 33)
# says: 0
# likely: the scores of the padding are 0, which is a score like any other
# next: set them to −∞: the softmax turns that into 0
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores.masked_fill(padding, 0)

# %% wrong: lowered_by_nine
# wrong: a low number that is not low enough (catalogue 33)
# says: padding
# likely: the scores of the padding are −9, so it still gets a little weight
# next: set them to −∞: the softmax turns that into 0
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores.masked_fill(padding, -9)

# %% wrong: lowered_by_a_hundred
# wrong: scores of -100: enough until scores are large (catalogue 33)
# says: padding
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores.masked_fill(padding, -100.0)

# %% wrong: ten_thousand_subtracted
# wrong: subtracts 10 000: enough until scores are as large (catalogue 33)
# says: is not enough
# likely: 10 000 is subtracted from the scores of the padding, which is not enough for large scores
# next: set them to −∞: that is low enough for all
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores - 1e4 * padding.to(scores.dtype)

# %% wrong: zero_times_infinity
# wrong: 0 times −∞ is nan (catalogue 38)
# says: nan
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores + padding.to(scores.dtype) * float("-inf")

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan
-    weights = torch.softmax(scores, dim=-1)
+    powers = torch.exp(scores)
+    weights = powers / powers.sum(dim=-1, keepdim=True)

# %% wrong: maximum_with_the_padding
# wrong: subtracts the largest score of all keys, padding too: 0 / 0 where that is much larger (catalogue 8)
# says: nan
-    weights = torch.softmax(scores, dim=-1)
+    largest = scores.amax(dim=-1, keepdim=True)
+    powers = torch.exp(scores - largest).masked_fill(padding, 0)
+    weights = powers / powers.sum(dim=-1, keepdim=True)
-    scores = scores.masked_fill(padding, float("-inf"))

# %% wrong: softmax_over_queries
# wrong: softmax over the queries (catalogue 1)
# says: runs over the queries
# likely: the softmax runs over the queries, and the columns of the padding hold only −∞
# next: give each query its own softmax, over the keys: `dim=-1`
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=-2)

# %% wrong: softmax_over_queries_of_low_scores
# wrong: softmax over the queries, padding set to 0 (catalogue 1)
# says: runs over the queries
# likely: the softmax runs over the queries
# next: give each query its own softmax, over the keys: `dim=-1`
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=-2).masked_fill(padding, 0)

# %% wrong: softmax_over_everything
# wrong: one softmax for a whole head (catalogue 2)
# says: one softmax
# likely: one softmax runs over all queries of a head
# next: give each query its own softmax, over the keys: `dim=-1`
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores.flatten(2), dim=-1).view_as(scores)

# %% wrong: softmax_over_heads
# wrong: softmax over the heads (catalogue 3)
# says: over the heads
# likely: the softmax runs over the heads
# next: give each query its own softmax, over the keys: `dim=-1`
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=1).masked_fill(padding, 0)

# %% wrong: without_softmax
# wrong: the masked scores themselves
# says: no softmax
# likely: the masked scores are returned: there is no softmax
# next: return the softmax over the keys, `torch.softmax(..., dim=-1)`
-    weights = torch.softmax(scores, dim=-1)
+    weights = scores

# %% wrong: without_exponentials
# wrong: divides the scores by their sum (catalogue 4)
# says: exponential
# likely: the scores are divided by their sum, without exponentials
# next: put the masked scores through `torch.softmax(..., dim=-1)`
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    scores = scores.masked_fill(padding, 0)
+    weights = scores / scores.sum(dim=-1, keepdim=True)

# %% wrong: equal_shares
# wrong: equal weights for all tokens that are there
# says: the same weight
# likely: all tokens that are there get the same weight, whatever the scores are
# next: put the scores through a softmax once the padding is −∞
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = (~padding).to(scores.dtype).expand(scores.shape) / lengths[:, None, None, None]

# %% wrong: first_length_for_all
# wrong: the length of the first sequence for all (catalogue 44)
# says: of the first sequence
# likely: the length of the first sequence is used for all
# next: use each sequence's own: `lengths[:, None, None, None]`
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths[0]

# %% wrong: longest_for_all
# wrong: masks behind the longest sequence only (catalogue 44)
# says: padding
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths.max()

# %% wrong: shortest_for_all
# wrong: masks behind the shortest sequence (catalogue 44)
# says: shortest
# likely: all sequences are cut at the length of the shortest
# next: compare with each sequence's own length: `lengths[:, None, None, None]`
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths.min()

# %% wrong: lengths_along_the_heads
# wrong: a mask of shape (B, 1, T) lines up with the heads
# says: shape (2, 2, 3, 3)
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths[:, None, None]

# %% wrong: lengths_along_the_queries
# wrong: a mask of shape (B, T) lines up with the queries
# says: RuntimeError
-    padding = places >= lengths[:, None, None, None]
+    padding = places >= lengths[:, None]

# %% wrong: only_the_length_itself
# wrong: masks one key, the one whose number is the length
# says: only the first key
# likely: only the first key of the padding is masked
# next: compare with `>=`: all keys from position `length` on are padding
-    padding = places >= lengths[:, None, None, None]
+    padding = places == lengths[:, None, None, None]

# %% wrong: causal_as_well
# wrong: hides later tokens, too
# says: later
# likely: later tokens are hidden, too, as with a causal mask
# next: mask the padding only: every query looks at every token that is there
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores + torch.full((T, T), -math.inf).triu(1), dim=-1)

# %% wrong: scaled
# wrong: divides the scores by the root of T
# says: root of
# likely: the scores are divided by the root of T
# next: leave the scores as they are: they come scaled
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores / T ** 0.5, dim=-1)

# %% wrong: logarithms
# wrong: logarithms of the weights
# says: logarithms of the weights
# likely: the result holds the logarithms of the weights
# next: use `torch.softmax`, not `torch.log_softmax`
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.log_softmax(scores, dim=-1)

# %% wrong: three_places
# wrong: three positions, as on the card (catalogue 42)
# says: RuntimeError
-    T = scores.shape[-1]
+    T = 3

# %% wrong: one_head
# wrong: fits one head, as on the card (catalogue 42)
# says: shape
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores[:, :1], dim=-1)

# %% wrong: in_place
# wrong: writes −∞ into the scores that it was given (catalogue 41)
# says: is an in-place operation on the argument `scores`
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores.masked_fill_(padding, float("-inf"))

# %% wrong: in_place_by_slices
# wrong: writes −∞ into a view of the scores (catalogue 41)
# says: is an in-place operation on the argument `scores`
-    scores = scores.masked_fill(padding, float("-inf"))
+    for row, length in zip(scores, lengths):
+        row[..., length:] = float("-inf")

# %% wrong: lengths_counted_down
# wrong: turns the lengths into numbers of the last tokens, in place (catalogue 41)
# says: is an in-place operation on the argument `lengths`
-    padding = places >= lengths[:, None, None, None]
+    lengths -= 1
+    padding = places > lengths[:, None, None, None]

# %% wrong: float64_mask
# wrong: an added mask of float64 takes float32 along (catalogue 43)
# says: the type changed on the way
-    scores = scores.masked_fill(padding, float("-inf"))
+    scores = scores + torch.where(padding, -math.inf, torch.tensor(0.0, dtype=torch.float64))

# %% wrong: numpy_array
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
-    return weights
+    return weights.numpy()

# %% wrong: list_of_sequences
# wrong: a list of tensors of unequal lengths (catalogue 43)
# says: list
-    return weights
+    return [own[..., :length] for own, length in zip(weights, lengths)]

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
-    return weights
+    return weights.squeeze()

# %% wrong: cut_to_the_longest
# wrong: cuts the keys behind the longest sequence off
# says: with `weights` alone, in place of `weights[..., :lengths.max()]`
-    return weights
+    return weights[..., :lengths.max()]

# %% wrong: mask_of_the_first_call
# wrong: keeps the mask of the first call for each shape
# says: keeps its contents between calls
MASKS = {}

def padded_weights(scores, lengths):
    padding = MASKS.setdefault(scores.shape, torch.arange(scores.shape[-1]) >= lengths[:, None, None, None])
    return torch.softmax(scores.masked_fill(padding, -math.inf), dim=-1)

# %% wrong: nothing_returned
# wrong: no return (catalogue 43)
# says: returns None
-    return weights
+    print(weights)

# %% wrong: shared_out_again_with_a_floor
# wrong: masks after the softmax and divides by the rest, which is 0 where the padding had it all (catalogue 32)
# says: the padding takes part in the softmax
# likely: the padding takes part in the softmax, or in the maximum that is subtracted: where its scores are much larger, nothing is left for the tokens
# next: set the scores of the padding to −∞ before both; then the rows sum to 1
-    scores = scores.masked_fill(padding, float("-inf"))
-    weights = torch.softmax(scores, dim=-1)
+    weights = torch.softmax(scores, dim=-1).masked_fill(padding, 0)
+    weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
