# Right and wrong answers to `grouped_attention`; authoring/README.md says how they are written.

# %% right: interleaved
def grouped_attention(q, k, v):
    shared = q.shape[1] // k.shape[1]
    keys = k.repeat_interleave(shared, dim=1)
    values = v.repeat_interleave(shared, dim=1)
    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ values

# %% right: groups_as_an_axis
def grouped_attention(q, k, v):
    B, h, T, s = q.shape
    g = k.shape[1]
    grouped = q.reshape(B, g, h // g, T, s)
    weights = torch.softmax(grouped @ k[:, :, None].mT / math.sqrt(s), dim=-1)
    return (weights @ v[:, :, None]).reshape(B, h, T, v.shape[-1])

# %% right: library_function
def grouped_attention(q, k, v):
    return nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)

# %% right: indexed
def grouped_attention(q, k, v):
    own = torch.arange(q.size(1)) // (q.size(1) // k.size(1))
    scores = torch.einsum("bhts,bhus->bhtu", q, k[:, own]) / math.sqrt(q.size(-1))
    return torch.einsum("bhtu,bhud->bhtd", scores.softmax(dim=-1), v[:, own])

# %% right: expanded
def grouped_attention(q, k, v):
    def repeat_kv(x, n):
        B, g, S, d = x.shape
        return x[:, :, None, :, :].expand(B, g, n, S, d).reshape(B, g * n, S, d)

    n = q.shape[1] // k.shape[1]
    weights = torch.softmax(q @ repeat_kv(k, n).transpose(2, 3) * q.shape[-1] ** -0.5, dim=3)
    return weights @ repeat_kv(v, n)

# %% right: head_by_head
def grouped_attention(q, k, v):
    shared = q.shape[1] // k.shape[1]
    heads = []
    for n in range(q.shape[1]):
        scores = q[:, n] @ k[:, n // shared].transpose(1, 2) / q.shape[-1] ** 0.5
        heads.append(torch.softmax(scores, dim=-1) @ v[:, n // shared])
    return torch.stack(heads, dim=1)

# %% right: step_by_step
def grouped_attention(q, k, v):
    shared = q.shape[1] // k.shape[1]
    s = q.shape[-1]
    keys = k.repeat_interleave(shared, dim=1)
    values = v.repeat_interleave(shared, dim=1)
    scores = q @ keys.transpose(-2, -1) / s ** 0.5
    weights = torch.softmax(scores, dim=-1)
    outputs = weights @ values
    return outputs

# %% right: by_hand
def grouped_attention(q, k, v):
    shared = q.shape[1] // k.shape[1]
    k, v = (torch.stack([x[:, n // shared] for n in range(q.shape[1])], dim=1) for x in (k, v))
    scores = q.matmul(k.swapaxes(2, 3)) / math.sqrt(k.shape[3])
    e = (scores - scores.amax(dim=3, keepdim=True)).exp()
    return e / e.sum(dim=3, keepdim=True) @ v

# %% wrong: repeated_in_turns
# wrong: `repeat` gives the heads 0, 1, 0, 1 in place of 0, 0, 1, 1
# says: repeated in turns
# earns: 2
# likely: the heads of keys and values are repeated in turns, 0, 1, 0, 1, so some heads of queries look at another group's keys
# next: repeat each head in place, 0, 0, 1, 1: `repeat_interleave` along axis 1
-    keys = k.repeat_interleave(shared, dim=1)
-    values = v.repeat_interleave(shared, dim=1)
+    keys = k.repeat(1, shared, 1, 1)
+    values = v.repeat(1, shared, 1, 1)

# %% wrong: values_repeated_in_turns
# wrong: the keys are right, and the values are repeated in turns
# says: only the values are repeated in turns
# earns: 2
# likely: only the values are repeated in turns: the heads look at the right keys and get another group's values
# next: repeat the values as the keys, each head in place: `repeat_interleave` along axis 1
-    values = v.repeat_interleave(shared, dim=1)
+    values = v.repeat(1, shared, 1, 1)

# %% wrong: first_head_for_all
# wrong: all heads of queries use head 0 of the keys and values
# says: all heads of queries use head 0
# likely: all heads of queries use head 0 of the keys and values
# next: let query head n use head n // (h / g): repeat each head of keys and values h / g times
-    keys = k.repeat_interleave(shared, dim=1)
-    values = v.repeat_interleave(shared, dim=1)
+    keys = k[:, :1]
+    values = v[:, :1]

# %% wrong: mean_of_the_heads
# wrong: all heads of queries use the mean of the heads of keys and values
# says: the mean of all heads
# likely: all heads of queries use the mean of all heads of keys and values
# next: let query head n use head n // (h / g): repeat each head of keys and values h / g times
-    keys = k.repeat_interleave(shared, dim=1)
-    values = v.repeat_interleave(shared, dim=1)
+    keys = k.mean(dim=1, keepdim=True)
+    values = v.mean(dim=1, keepdim=True)

# %% wrong: not_repeated
# wrong: nothing is repeated: that broadcasts for one head alone
# says: raised RuntimeError
# earns: 2
-    keys = k.repeat_interleave(shared, dim=1)
-    values = v.repeat_interleave(shared, dim=1)
+    keys, values = k, v

# %% wrong: tokens_repeated
# wrong: repeats along the axis of the tokens
# says: raised RuntimeError
# earns: 2
-    keys = k.repeat_interleave(shared, dim=1)
+    keys = k.repeat_interleave(shared, dim=2)

# %% wrong: over_queries
# wrong: softmax over dim=-2 (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries
# next: take one softmax per query: let it run over the keys, `dim=-1`
-    return torch.softmax(scores, dim=-1) @ values
+    return torch.softmax(scores, dim=-2) @ values

# %% wrong: over_heads
# wrong: softmax over the heads (catalogue 3)
# says: the softmax runs over the heads
# likely: the softmax runs over the heads, dim=1
# next: use the last axis, `dim=-1`: it indexes the keys
-    return torch.softmax(scores, dim=-1) @ values
+    return torch.softmax(scores, dim=1) @ values

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide the scores by the root of s, the last length of q
-    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
+    scores = q @ keys.transpose(-2, -1)

# %% wrong: by_all_heads
# wrong: divides by the root of the dimension of all heads together (catalogue 12)
# says: the root of h · s
# likely: the scores are divided by the root of h · s, the dimension of all heads together
# next: divide by the root of s: a score is a sum of s products
-    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
+    scores = q @ keys.transpose(-2, -1) / (q.shape[1] * q.shape[-1]) ** 0.5

# %% wrong: by_values
# wrong: divides by the root of the dimension of the values (catalogue 12)
# says: the root of d_v
# likely: the scores are divided by the root of d_v, the dimension of the values
# next: divide by the root of s: a score is a sum of s products
-    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
+    scores = q @ keys.transpose(-2, -1) / values.shape[-1] ** 0.5

# %% wrong: by_keys
# wrong: divides by the root of the number of keys (catalogue 12)
# says: the root of S
# likely: the scores are divided by the root of S, the number of keys
# next: divide by the root of s: a score is a sum of s products
-    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
+    scores = q @ keys.transpose(-2, -1) / keys.shape[-2] ** 0.5

# %% wrong: by_s
# wrong: divides by s and not by its root (catalogue 10)
# says: divided by s itself
# likely: the scores are divided by s itself
# next: divide by the root of s
-    scores = q @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
+    scores = q @ keys.transpose(-2, -1) / q.shape[-1]

# %% wrong: masked
# wrong: the causal mask of exercise 4 is left in (catalogue 34)
# says: no query looks at a later key
# likely: no query looks at a later key: the causal mask is left in
# next: remove the mask: the keys are those of another sequence
-    return torch.softmax(scores, dim=-1) @ values
+    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
+    return torch.softmax(scores.masked_fill(later, -math.inf), dim=-1) @ values

# %% wrong: keys_for_values
# wrong: mixes the keys (catalogue 15)
# says: shape (1, 4, 2, 2)
-    return torch.softmax(scores, dim=-1) @ values
+    return torch.softmax(scores, dim=-1) @ keys

# %% wrong: merged
# wrong: merges the heads, which nobody asked for
# says: the heads are merged
# likely: the heads are merged into one axis, as `merge_heads` does
# next: leave the heads an axis of their own: `(B, h, T, d_v)`
-    return torch.softmax(scores, dim=-1) @ values
+    return merge_heads(torch.softmax(scores, dim=-1) @ values)

# %% wrong: without_maximum
# wrong: exponentials of large scores (catalogue 7)
# says: nan or inf
# earns: 3
-    return torch.softmax(scores, dim=-1) @ values
+    e = torch.exp(scores)
+    return e / e.sum(dim=-1, keepdim=True) @ values

# %% wrong: float32_inside
# wrong: computes in float32 (catalogue 43)
# says: the type changed on the way
-    shared = q.shape[1] // k.shape[1]
+    q, k, v = q.float(), k.float(), v.float()
+    shared = q.shape[1] // k.shape[1]

# %% wrong: divided_by_the_number_of_groups
# wrong: head n uses head n // g, which is right where g and h / g are the same
# says: head n of the queries uses head n // g
# likely: head n of the queries uses head n // g of the keys and values: g is the number of groups, not their size
# next: divide n by the size of a group, h // g
def grouped_attention(q, k, v):
    g, heads = k.shape[1], []
    for n in range(q.shape[1]):
        scores = q[:, n] @ k[:, n // g].mT / q.shape[-1] ** 0.5
        heads.append(torch.softmax(scores, dim=-1) @ v[:, n // g])
    return torch.stack(heads, dim=1)

# %% wrong: divided_by_the_number_of_groups_up_to_the_last
# wrong: the same, and what is beyond the last head of the keys uses the last
# says: head n of the queries uses head n // g
# likely: head n of the queries uses head n // g of the keys and values, or the last one: g is the number of groups, not their size
# next: divide n by the size of a group, h // g
def grouped_attention(q, k, v):
    g = k.shape[1]
    own = (torch.arange(q.shape[1]) // g).clamp(max=g - 1)
    scores = q @ k[:, own].mT / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v[:, own]

# %% wrong: mean_of_the_queries
# wrong: takes the mean of the queries that share a head of keys, and gives their heads one and the same output
# says: the queries of a group are averaged
# earns: 2
# likely: the queries of a group are averaged, so its heads have one and the same output
# next: keep all h heads of queries, each with its own weights: only keys and values are shared
def grouped_attention(q, k, v):
    B, h, T, s = q.shape
    g = k.shape[1]
    shared = q.reshape(B, g, h // g, T, s).mean(dim=2)
    weights = torch.softmax(shared @ k.mT / s ** 0.5, dim=-1)
    return (weights @ v).repeat_interleave(h // g, dim=1)

# %% wrong: groups_overlap
# wrong: group n takes the query heads from n on, so that groups overlap and the last heads are left out
# says: groups overlap
# likely: group n takes the query heads from n on: groups overlap, and the last heads are left out
# next: with r query heads to a group, group n begins at head n · r
def grouped_attention(q, k, v):
    r = q.shape[1] // k.shape[1]
    parts = []
    for n in range(k.shape[1]):
        scores = q[:, n : n + r] @ k[:, n : n + 1].mT / q.shape[-1] ** 0.5
        parts.append(scores.softmax(dim=-1) @ v[:, n : n + 1])
    return torch.cat(parts, dim=1)
