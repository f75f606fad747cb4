# Right and wrong answers to `cached_attention`; authoring/README.md says how they are written.

# %% right: one_mask
def cached_attention(q, k, v, keys=None, values=None):
    if keys is not None:
        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    t, both = q.shape[1], k.shape[1]
    later = torch.ones(t, both, dtype=torch.bool).triu(both - t + 1)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
    return torch.softmax(scores, dim=-1) @ v, k, v

# %% right: step_by_step
def cached_attention(q, k, v, keys=None, values=None):
    n = 0 if keys is None else keys.shape[1]
    t = q.shape[1]
    s = q.shape[-1]
    if n > 0:
        k = torch.cat([keys, k], dim=1)
        v = torch.cat([values, v], dim=1)
    scores = q @ k.transpose(-2, -1) / s ** 0.5
    later = torch.ones(t, n + t, dtype=torch.bool).triu(n + 1)
    scores = scores.masked_fill(later, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    outputs = weights @ v
    return outputs, k, v

# %% right: torchs_function
def cached_attention(q, k, v, keys=None, values=None):
    if keys is None:
        keys, values = k[:, :0], v[:, :0]
    k, v = torch.cat((keys, k), 1), torch.cat((values, v), 1)
    seen = torch.ones(q.size(1), k.size(1), dtype=torch.bool).tril(keys.size(1))
    return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen), k, v

# %% right: token_by_token
def cached_attention(q, k, v, keys=None, values=None):
    outputs = []
    for i in range(q.shape[1]):
        keys = k[:, :1] if keys is None else torch.cat([keys, k[:, i:i + 1]], dim=1)
        values = v[:, :1] if values is None else torch.cat([values, v[:, i:i + 1]], dim=1)
        weights = torch.softmax(q[:, i:i + 1] @ keys.mT / math.sqrt(q.shape[2]), dim=-1)
        outputs.append(weights @ values)
    return torch.cat(outputs, dim=1), keys, values

# %% right: by_positions
def cached_attention(q, k, v, keys=None, values=None):
    earlier = [] if keys is None else [keys]
    k = torch.cat([*earlier, k], dim=1)
    v = torch.cat([*([] if values is None else [values]), v], dim=1)
    n = k.shape[1] - q.shape[1]
    of_queries = n + torch.arange(q.shape[1])
    of_keys = torch.arange(k.shape[1])
    scores = torch.einsum("hts,hus->htu", q, k) / math.sqrt(q.shape[-1])
    scores = torch.where(of_keys <= of_queries[:, None], scores, -math.inf)
    return torch.einsum("htu,hus->hts", scores.softmax(-1), v), k, v

# %% right: head_by_head
def cached_attention(q, k, v, keys=None, values=None):
    heads, t, s = q.shape
    if keys is not None:
        k, v = (torch.cat(pair, dim=1) for pair in ((keys, k), (values, v)))
    n = k.shape[1] - t
    mask = torch.full((t, n + t), -math.inf).triu(n + 1)
    outputs = [torch.softmax(q[h] @ k[h].T / s ** 0.5 + mask, dim=-1) @ v[h] for h in range(heads)]
    return torch.stack(outputs), k, v

# %% wrong: mask_of_the_first_keys
# wrong: triu(1) on an oblong matrix: the first new query sees the first key alone, as is_causal=True does
# says: as if nothing were earlier
# earns: 1
# likely: query i sees keys 0 to i, counted from the start of the cache: the mask is built as if nothing were earlier
# next: new query i stands at position n + i: hide keys from n + i + 1 on, `triu(n + 1)`
-    later = torch.ones(t, both, dtype=torch.bool).triu(both - t + 1)
+    later = torch.ones(t, both, dtype=torch.bool).triu(1)

# %% wrong: no_mask
# wrong: new tokens see later new ones
# says: later new
# earns: 1
# likely: new tokens also see later new ones: there is no mask, or it begins behind all keys
# next: hide from new query i the new keys after it: `triu(n + 1)` for n earlier tokens
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = q @ k.mT / q.shape[-1] ** 0.5

# %% wrong: not_itself
# wrong: the mask hides the query's own key
# says: own key
# likely: a query does not see its own key
# next: hide only later ones, from key n + i + 1 on: `triu(n + 1)`
-    later = torch.ones(t, both, dtype=torch.bool).triu(both - t + 1)
+    later = torch.ones(t, both, dtype=torch.bool).triu(both - t)

# %% wrong: new_in_front
# wrong: puts the new keys in front of the earlier ones
# says: in front of
# earns: 1
# likely: the new keys and values stand in front of the earlier ones
# next: append the new ones: `torch.cat([keys, k], dim=1)`
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k, v = torch.cat([k, keys], dim=1), torch.cat([v, values], dim=1)

# %% wrong: cache_ignored
# wrong: leaves the earlier keys and values out
# says: ✗
# earns: 1
-    if keys is not None:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)

# %% wrong: new_ones_returned
# wrong: returns the new keys and values alone
# says: those of the new tokens alone
# earns: 1
# likely: the keys and values that come back are those of the new tokens alone
# next: return all n + t, as they were joined
-    if keys is not None:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
-    t, both = q.shape[1], k.shape[1]
+    new = k, v
+    if keys is not None:
+        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+    t, both = q.shape[1], k.shape[1]
-    return torch.softmax(scores, dim=-1) @ v, k, v
+    return torch.softmax(scores, dim=-1) @ v, *new

# %% wrong: joined_along_heads
# wrong: joins along the axis of the heads
# says: ✗
# earns: 1
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k, v = torch.cat([keys, k], dim=0), torch.cat([values, v], dim=0)

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: not scaled
# likely: the scores are not scaled
# next: divide the scores by the root of s
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = (q @ k.mT).masked_fill(later, -math.inf)

# %% wrong: scaled_by_the_keys
# wrong: divides by the root of the number of keys (catalogue 12)
# says: the number of keys
# likely: the scores are divided by the root of the number of keys
# next: divide by the root of s
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = (q @ k.mT / both ** 0.5).masked_fill(later, -math.inf)

# %% wrong: scaled_by_the_new_tokens
# wrong: divides by the root of the number of new tokens
# says: the number of new tokens
# likely: the scores are divided by the root of the number of new tokens, not of s
# next: divide by the root of s, the last axis of the queries
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = (q @ k.mT / q.shape[-2] ** 0.5).masked_fill(later, -math.inf)

# %% wrong: cut_after_the_softmax
# wrong: later keys are cut off behind the softmax, and the weights that are left do not sum to 1
# says: cut off behind the softmax
# earns: 1
# likely: later keys are cut off behind the softmax, so that the weights that are left do not sum to 1
# next: give later keys −inf before the softmax
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = q @ k.mT / q.shape[-1] ** 0.5
-    return torch.softmax(scores, dim=-1) @ v, k, v
+    return torch.softmax(scores, dim=-1).masked_fill(later, 0) @ v, k, v

# %% wrong: values_not_cached
# wrong: keeps keys, and forgets to join the values
# says: ✗
# earns: 1
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k = torch.cat([keys, k], dim=1)

# %% wrong: no_mask_behind_a_cache
# wrong: with earlier keys there is no mask, so new tokens see later new ones
# says: no mask once there are earlier keys
# earns: 2
# likely: new tokens also see later new ones: there is no mask once there are earlier keys
# next: hide from new query i the new keys after it, with earlier keys, too: `triu(n + 1)` for n of them
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = q @ k.mT / q.shape[-1] ** 0.5
+    if keys is None:
+        scores = scores.masked_fill(later, -math.inf)

# %% wrong: mask_only_behind_a_cache
# wrong: without earlier keys there is no mask
# says: no mask while there are no earlier keys
# earns: 3
# likely: tokens also see later ones: there is no mask while there are no earlier keys
# next: use the same mask in both cases: `triu(n + 1)` for n earlier tokens, and n may be 0
-    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(later, -math.inf)
+    scores = q @ k.mT / q.shape[-1] ** 0.5
+    if keys is not None:
+        scores = scores.masked_fill(later, -math.inf)

# %% wrong: mask_on_the_first_columns
# wrong: the triangle of the new tokens lies over the first columns, which are earlier keys
# says: lies over the first keys
# earns: 2
# likely: the mask of the new tokens lies over the first keys, which are earlier ones, and the new keys behind them are not masked
# next: the new keys are the last columns: hide those after n + i from query i, `triu(n + 1)`
-    later = torch.ones(t, both, dtype=torch.bool).triu(both - t + 1)
+    later = torch.zeros(t, both, dtype=torch.bool)
+    later[:, :t] = torch.ones(t, t, dtype=torch.bool).triu(1)

# %% wrong: two_softmaxes
# wrong: a softmax of its own over the earlier keys and one over the new ones, added up
# says: a softmax of their own
# earns: 1
# likely: earlier and new keys have a softmax of their own each, so the weights of a query sum to 2
# next: put the keys side by side first, and take one softmax over all scores of a query
def cached_attention(q, k, v, keys=None, values=None):
    def weighted(keys, values, hidden):
        return (q @ keys.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -torch.inf).softmax(dim=-1) @ values

    outputs = weighted(k, v, torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).triu(1))
    if keys is None:
        return outputs, k, v
    earlier = weighted(keys, values, torch.zeros(q.shape[1], keys.shape[1], dtype=torch.bool))
    return outputs + earlier, torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
