# Right and wrong answers to `attend_with_cache`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def attend_with_cache(x, layer, s, keys=None, values=None):
    q, k, v = ((x @ layer[name].T).unflatten(-1, (-1, s)).transpose(0, 1)
               for name in ("toqueries", "tokeys", "tovalues"))      # (heads, t, s), (groups, t, s) twice
    n = 0 if keys is None else keys.shape[1]
    q, k = rotate_heads(q, n), rotate_heads(k, n)
    if n:
        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    shared = len(q) // len(k)
    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n + 1)
    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v

# %% right: step_by_step
def attend_with_cache(x, layer, s, keys=None, values=None):
    t = x.shape[0]
    n = 0 if keys is None else keys.shape[1]
    q = (x @ layer["toqueries"].T).unflatten(-1, (-1, s)).permute(1, 0, 2)
    k = (x @ layer["tokeys"].T).unflatten(-1, (-1, s)).permute(1, 0, 2)
    v = (x @ layer["tovalues"].T).unflatten(-1, (-1, s)).permute(1, 0, 2)
    q = rotate_heads(q, n)
    k = rotate_heads(k, n)
    if n > 0:
        k = torch.cat([keys, k], dim=1)
        v = torch.cat([values, v], dim=1)
    repeated_k = k.repeat_interleave(q.shape[0] // k.shape[0], dim=0)
    repeated_v = v.repeat_interleave(q.shape[0] // v.shape[0], dim=0)
    scores = q @ repeated_k.transpose(-2, -1) / s ** 0.5
    later = torch.ones(t, n + t, dtype=torch.bool).triu(n + 1)
    scores = scores.masked_fill(later, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ repeated_v
    outputs = heads.permute(1, 0, 2).flatten(1) @ layer["unifyheads"].T
    return outputs, k, v

# %% right: torchs_function
def attend_with_cache(x, layer, s, keys=None, values=None):
    t = len(x)
    q, k, v = (nn.functional.linear(x, layer[name]).view(t, -1, s).transpose(0, 1) for name in ("toqueries", "tokeys", "tovalues"))
    n = 0 if keys is None else keys.size(1)
    q, k = rotate_heads(q, n), rotate_heads(k, n)
    if keys is not None:
        k, v = torch.cat((keys, k), 1), torch.cat((values, v), 1)
    seen = torch.ones(t, n + t, dtype=torch.bool).tril(n)
    mixed = nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=seen, enable_gqa=True)[0]
    return nn.functional.linear(mixed.transpose(0, 1).reshape(t, -1), layer["unifyheads"]), k, v

# %% right: einsum
def attend_with_cache(x, layer, s, keys=None, values=None):
    def heads_of(name):
        return torch.einsum("tk,hsk->hts", x, layer[name].unflatten(0, (-1, s)))

    n = keys.shape[1] if keys is not None else 0
    k, v = rotate_heads(heads_of("tokeys"), n), heads_of("tovalues")
    if n:
        k, v = torch.cat([keys, k], 1), torch.cat([values, v], 1)
    q = rotate_heads(heads_of("toqueries"), n).unflatten(0, (len(k), -1))    # (groups, heads / groups, t, s)
    scores = torch.einsum("grts,gus->grtu", q, k) * s ** -0.5
    mask = torch.full(scores.shape[-2:], -math.inf).triu(n + 1)
    mixed = torch.einsum("grtu,gus->tgrs", (scores + mask).softmax(-1), v)
    return torch.einsum("tj,kj->tk", mixed.flatten(1), layer["unifyheads"]), k, v

# %% right: head_by_head
def attend_with_cache(x, layer, s, keys=None, values=None):
    n = 0 if keys is None else keys.shape[1]
    groups, heads = len(layer["tokeys"]) // s, len(layer["toqueries"]) // s
    new_k = torch.stack([x @ layer["tokeys"][g * s:(g + 1) * s].T for g in range(groups)])
    v = torch.stack([x @ layer["tovalues"][g * s:(g + 1) * s].T for g in range(groups)])
    k = rotate_heads(new_k, first=n)
    if keys is not None:
        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    outputs = torch.zeros(len(x), x.shape[1])
    for h in range(heads):
        part = slice(h * s, (h + 1) * s)
        q = rotate_heads((x @ layer["toqueries"][part].T)[None], n)[0]
        g = h // (heads // groups)
        scores = q @ k[g].T / math.sqrt(s)
        for i in range(len(x)):
            scores[i, n + i + 1:] = -math.inf
        outputs += torch.softmax(scores, dim=1) @ v[g] @ layer["unifyheads"][:, part].T
    return outputs, k, v

# %% right: token_by_token
def attend_with_cache(x, layer, s, keys=None, values=None):
    rows = []
    for token in x:
        q, k, v = ((layer[name] @ token).reshape(-1, 1, s) for name in ("toqueries", "tokeys", "tovalues"))
        n = 0 if keys is None else keys.shape[1]
        q, k = rotate_heads(q, n), rotate_heads(k, n)
        keys = k if keys is None else torch.cat([keys, k], dim=1)
        values = v if values is None else torch.cat([values, v], dim=1)
        group = torch.arange(len(q)) // (len(q) // len(k))
        weights = torch.softmax(q @ keys[group].mT / math.sqrt(s), dim=-1)   # (heads, 1, n + 1)
        rows.append(layer["unifyheads"] @ (weights @ values[group]).flatten())
    return torch.stack(rows), keys, values

# %% right: expanded
def attend_with_cache(x, layer, s, keys=None, values=None):
    def repeat_kv(a, count):
        groups, T, s = a.shape
        return a[:, None].expand(groups, count, T, s).reshape(groups * count, T, s)

    t, k = x.shape
    heads, groups = layer["toqueries"].shape[0] // s, layer["tokeys"].shape[0] // s
    if keys is None:
        keys = values = torch.zeros(groups, 0, s)
    n = keys.shape[1]
    q = rotate_heads((x @ layer["toqueries"].T).reshape(t, heads, s).permute(1, 0, 2), n)
    new = rotate_heads((x @ layer["tokeys"].T).reshape(t, groups, s).permute(1, 0, 2), n)
    keys = torch.cat([keys, new], dim=1)
    values = torch.cat([values, (x @ layer["tovalues"].T).reshape(t, groups, s).permute(1, 0, 2)], dim=1)
    scores = torch.matmul(q, repeat_kv(keys, heads // groups).transpose(1, 2)) / s ** 0.5
    seen = torch.arange(n + t)[None] <= torch.arange(n, n + t)[:, None]
    weights = torch.where(seen, scores, torch.tensor(-math.inf)).softmax(dim=2)
    mixed = torch.matmul(weights, repeat_kv(values, heads // groups)).permute(1, 0, 2).reshape(t, heads * s)
    return mixed @ layer["unifyheads"].t(), keys, values

# %% right: only_seen_keys
def attend_with_cache(x, layer, s, keys=None, values=None):
    earlier = 0 if keys is None else keys.shape[1]
    queries = rotate_heads(torch.stack((x @ layer["toqueries"].T).split(s, dim=-1)), earlier)
    k = rotate_heads(torch.stack((x @ layer["tokeys"].T).split(s, dim=-1)), earlier)
    v = torch.stack((x @ layer["tovalues"].T).split(s, dim=-1))
    if keys is not None:
        k = torch.cat([keys, k], dim=1)
        v = torch.cat([values, v], dim=1)
    share = len(queries) // len(k)
    result = []
    for i in range(len(x)):
        joined = []
        for h, query in enumerate(queries[:, i]):
            scores = k[h // share, :earlier + i + 1] @ query / math.sqrt(s)
            joined.append(torch.softmax(scores, dim=0) @ v[h // share, :earlier + i + 1])
        result.append(torch.cat(joined) @ layer["unifyheads"].T)
    return torch.stack(result), k, v

# %% right: float64_inside
def attend_with_cache(x, layer, s, keys=None, values=None):
    wide = {name: matrix.double() for name, matrix in layer.items()}
    q, k, v = ((x.double() @ wide[name].T).unflatten(1, (-1, s)).transpose(0, 1) for name in ("toqueries", "tokeys", "tovalues"))
    n = 0 if keys is None else keys.shape[1]
    q, k = rotate_heads(q, n), rotate_heads(k, n)
    if n:
        k, v = torch.cat([keys.double(), k], dim=1), torch.cat([values.double(), v], dim=1)
    times = len(q) // len(k)
    scores = (q / s ** 0.5) @ k.repeat_interleave(times, 0).mT
    scores += torch.full_like(scores[0], -torch.inf).triu(n + 1)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    mixed = (e @ v.repeat_interleave(times, 0)) / e.sum(-1, keepdim=True)
    return (mixed.transpose(0, 1).flatten(1) @ wide["unifyheads"].T).float(), k.float(), v.float()

# %% wrong: repeated_in_turns
# wrong: `repeat` gives the heads 0, 1, 0, 1 in place of 0, 0, 1, 1
# says: repeated in turns
# earns: 2
# likely: the heads of keys and values are repeated in turns, 0, 1, 0, 1, so that heads of queries look at another group's keys
# next: repeat each head in place, 0, 0, 1, 1: `repeat_interleave` along axis 0
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat(shared, 1, 1).mT / math.sqrt(s)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = weights @ v.repeat(shared, 1, 1)

# %% wrong: values_repeated_in_turns
# wrong: the keys are right, and the values are repeated in turns
# says: only the values are repeated in turns
# earns: 2
# likely: only the values are repeated in turns: the heads look at the right keys and get another group's values
# next: repeat the values as the keys, each head in place: `repeat_interleave` along axis 0
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = weights @ v.repeat(shared, 1, 1)

# %% wrong: first_head_for_all
# wrong: all heads of queries use head 0 of the keys and values
# says: all heads of queries use head 0
# likely: all heads of queries use head 0 of the keys and values
# next: repeat each head of keys and values heads / groups times
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k[:1].mT / math.sqrt(s)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = weights @ v[:1]

# %% wrong: not_repeated
# wrong: nothing is repeated: that broadcasts for one head alone
# says: ✗
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.mT / math.sqrt(s)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = weights @ v

# %% wrong: cut_by_view
# wrong: (t, heads·s) is read as (heads, t, s), which mixes tokens and heads (catalogue 25)
# says: mixed
# likely: the projections are read as (heads, t, s) without a transpose: each head is mixed from several tokens
# next: cut the last axis first, `(t, heads, s)`, then swap the first two axes
-    q, k, v = ((x @ layer[name].T).unflatten(-1, (-1, s)).transpose(0, 1)
-               for name in ("toqueries", "tokeys", "tovalues"))      # (heads, t, s), (groups, t, s) twice
+    q, k, v = ((x @ layer[name].T).reshape(-1, len(x), s) for name in ("toqueries", "tokeys", "tovalues"))

# %% wrong: heads_last
# wrong: cuts (s, heads) in place of (heads, s): components of a head are far apart
# says: from head to head
# likely: the projections are cut into (t, s, heads), so neighbouring components go from head to head
# next: a head is s neighbouring components: `unflatten(-1, (-1, s))` gives `(t, heads, s)`
-    q, k, v = ((x @ layer[name].T).unflatten(-1, (-1, s)).transpose(0, 1)
-               for name in ("toqueries", "tokeys", "tovalues"))      # (heads, t, s), (groups, t, s) twice
+    q, k, v = ((x @ layer[name].T).unflatten(-1, (s, -1)).permute(2, 0, 1) for name in ("toqueries", "tokeys", "tovalues"))

# %% wrong: not_transposed
# wrong: x @ matrix without the transpose
# says: the transpose of `toqueries`, `tokeys` and `tovalues` is missing
# likely: the transpose of `toqueries`, `tokeys` and `tovalues` is missing
# next: each has a row for each component that comes out: `x @ matrix.T`
-    q, k, v = ((x @ layer[name].T).unflatten(-1, (-1, s)).transpose(0, 1)
+    q, k, v = ((x @ layer[name]).unflatten(-1, (-1, s)).transpose(0, 1)

# %% wrong: not_rotated
# wrong: no positions
# says: not rotated
# likely: queries and keys are not rotated: without positions, a token's place makes no difference
# next: rotate new queries and keys from position n on: `rotate_heads(q, n)`, `rotate_heads(k, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)

# %% wrong: queries_alone_rotated
# wrong: keys are not rotated
# says: the keys are not rotated
# likely: the keys are not rotated
# next: rotate the new keys as the queries, from position n on: `rotate_heads(k, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q = rotate_heads(q, n)

# %% wrong: keys_alone_rotated
# wrong: queries are not rotated
# says: the queries are not rotated
# likely: the queries are not rotated
# next: rotate the queries as the new keys, from position n on: `rotate_heads(q, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    k = rotate_heads(k, n)

# %% wrong: values_rotated
# wrong: values are rotated, too
# says: the values are rotated
# likely: the values are rotated, too
# next: rotate queries and keys alone: a value says what is passed on, wherever it stands
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k, v = rotate_heads(q, n), rotate_heads(k, n), rotate_heads(v, n)

# %% wrong: from_zero
# wrong: new tokens are rotated as if nothing were earlier
# says: from position 0 on
# earns: 4
# likely: new queries and keys are rotated from position 0 on, as if nothing were earlier
# next: new token i stands at position n + i: `rotate_heads(q, n)`, `rotate_heads(k, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k = rotate_heads(q), rotate_heads(k)

# %% wrong: keys_from_zero
# wrong: new keys are rotated from 0, queries from n
# says: new keys are rotated from position 0
# earns: 4
# likely: new keys are rotated from position 0 on, new queries from position n on
# next: both begin at position n: `rotate_heads(k, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k = rotate_heads(q, n), rotate_heads(k)

# %% wrong: queries_from_zero
# wrong: new queries are rotated from 0, keys from n
# says: new queries are rotated from position 0
# earns: 4
# likely: new queries are rotated from position 0 on, new keys from position n on
# next: both begin at position n: `rotate_heads(q, n)`
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k = rotate_heads(q), rotate_heads(k, n)

# %% wrong: rotated_again
# wrong: keys are rotated after they are joined: those in the cache a second time
# says: a second time
# earns: 4
# likely: all keys are rotated after they are joined, so those in the cache are rotated a second time
# next: rotate the new keys alone, from position n on, then join them
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
-    if n:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+    q = rotate_heads(q, n)
+    if n:
+        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+    k = rotate_heads(k)

# %% wrong: unrotated_returned
# wrong: returns keys as they were before they were rotated
# says: unrotated
# likely: the outputs are right, but new keys come back unrotated
# next: return the keys as the scores use them, rotated
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
-    if n:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+    plain = k if keys is None else torch.cat([keys, k], dim=1)
+    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    if n:
+        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, plain, v

# %% wrong: repeated_returned
# wrong: returns keys and values after they were repeated
# says: after they were repeated
# earns: 2
# likely: keys and values come back after they were repeated
# next: give what is repeated a name of its own, and return keys and values as they were before
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    k, v = k.repeat_interleave(shared, dim=0), v.repeat_interleave(shared, dim=0)
+    scores = q @ k.mT / math.sqrt(s)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = weights @ v

# %% wrong: new_ones_returned
# wrong: returns the new keys and values alone
# says: those of the new tokens alone
# earns: 4
# likely: the keys and values that come back are those of the new tokens alone
# next: return all n + t, as they were joined
-    if n:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+    new = k, v
+    if n:
+        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, *new

# %% wrong: outputs_alone
# wrong: returns the outputs, and no keys and values
# says: ✗
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T

# %% wrong: cache_ignored
# wrong: leaves the earlier keys and values out
# says: are left out
# earns: 4
# likely: the earlier keys and values are left out
# next: put the new ones behind them: `torch.cat([keys, k], dim=1)`, and the same for values
-    if n:
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)

# %% wrong: new_in_front
# wrong: puts the new keys in front of the earlier ones
# says: in front of
# earns: 4
# likely: the new keys and values stand in front of the earlier ones
# next: append the new ones: `torch.cat([keys, k], dim=1)`
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k, v = torch.cat([k, keys], dim=1), torch.cat([v, values], dim=1)

# %% wrong: joined_along_heads
# wrong: joins along the axis of the heads
# says: ✗
# earns: 4
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k, v = torch.cat([keys, k], dim=0), torch.cat([values, v], dim=0)

# %% wrong: values_not_cached
# wrong: keeps keys, and forgets to join the values
# says: ✗
# earns: 4
-        k, v = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
+        k = torch.cat([keys, k], dim=1)

# %% wrong: mask_of_the_first_keys
# wrong: triu(1) on an oblong matrix: the first new query sees the first key alone, as is_causal=True does
# says: as if nothing were earlier
# earns: 4
# likely: query i sees keys 0 to i, counted from the start of the cache: the mask is built as if nothing were earlier
# next: new query i stands at position n + i: hide keys from n + i + 1 on, `triu(n + 1)`
-    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n + 1)
+    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)

# %% wrong: is_causal
# wrong: torch's function with is_causal=True, which counts from the first key
# says: as if nothing were earlier
# earns: 4
-    shared = len(q) // len(k)
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
-    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n + 1)
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    outputs = nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, enable_gqa=True)[0]

# %% wrong: no_mask
# wrong: queries see later tokens (catalogue 32)
# says: no mask
# likely: queries also see later keys: there is no mask
# next: set the scores of later keys to −∞ before the softmax: those after n + i for new token i
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores, dim=-1)

# %% wrong: mask_without_a_cache_alone
# wrong: no mask as soon as there is a cache
# says: later new
# earns: 4
# likely: with a cache, new tokens also see later new ones: the mask is missing there
# next: hide from new query i the new keys after it, with a cache, too: `triu(n + 1)`
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    if not n:
+        scores = scores.masked_fill(later, -math.inf)
+    weights = torch.softmax(scores, dim=-1)

# %% wrong: not_itself
# wrong: the mask hides the query's own key
# says: own key
# likely: a token does not see its own key, so nothing is left for the first one
# next: hide only later keys, from n + i + 1 on: `triu(n + 1)`
-    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n + 1)
+    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n)

# %% wrong: masked_after
# wrong: later weights are 0, and the rest no longer sums to 1 (catalogue 33)
# says: after the softmax
# likely: later keys are hidden after the softmax, so the weights that are left do not sum to 1
# next: set the scores of later keys to −∞ before the softmax
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores, dim=-1).masked_fill(later, 0)

# %% wrong: zero_for_infinity
# wrong: later scores become 0 (catalogue 33)
# says: 0
# likely: the scores of later keys are set to 0: they still get weight
# next: set them to −∞, whose power is 0
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores.masked_fill(later, 0), dim=-1)

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: not scaled
# likely: the scores are not scaled
# next: divide the scores by the root of s
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat_interleave(shared, dim=0).mT

# %% wrong: by_s
# wrong: divides by s and not by its root (catalogue 10)
# says: divided by s itself
# likely: the scores are divided by s itself
# next: divide by the root of s
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat_interleave(shared, dim=0).mT / s

# %% wrong: by_k
# wrong: divides by the root of k, the components of a token (catalogue 12)
# says: the root of k
# likely: the scores are divided by the root of k, the components of a token
# next: divide by the root of s, the components of a head
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(x.shape[-1])

# %% wrong: over_queries
# wrong: softmax over the queries (catalogue 1)
# says: the softmax runs over the queries
# likely: the softmax runs over the queries
# next: take one softmax per query: let it run over the keys, `dim=-1`
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-2)

# %% wrong: over_heads
# wrong: softmax over the heads (catalogue 3)
# says: the softmax runs over the heads
# likely: the softmax runs over the heads, dim=0
# next: use the last axis, `dim=-1`: it indexes the keys
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores.masked_fill(later, -1e9), dim=0)

# %% wrong: merged_without_transpose
# wrong: (heads, t, s) is read as (t, heads·s) (catalogue 26)
# says: side by side
# likely: the heads are not put side by side: (heads, t, s) is read as (t, heads·s) without a transpose
# next: swap heads and tokens first: `outputs.transpose(0, 1).flatten(1)`
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.reshape(len(x), -1) @ layer["unifyheads"].T, k, v

# %% wrong: unifyheads_not_transposed
# wrong: W_O without the transpose: runs where it is square
# says: the transpose of `unifyheads` is missing
# likely: the transpose of `unifyheads` is missing
# next: it has a row for each component that comes out: `@ layer["unifyheads"].T`
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"], k, v

# %% wrong: without_unifyheads
# wrong: W_O is forgotten: right shape where heads·s = k
# says: `unifyheads`
# likely: the heads are put side by side, and not multiplied by `unifyheads`
# next: multiply by `unifyheads`, transposed
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1), k, v

# %% wrong: values_first
# wrong: returns values and keys in another order
# says: ✗
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, v, k

# %% wrong: by_order
# wrong: takes the matrices by their order in the dict
# says: ✗
# earns: 4
-    q, k, v = ((x @ layer[name].T).unflatten(-1, (-1, s)).transpose(0, 1)
-               for name in ("toqueries", "tokeys", "tovalues"))      # (heads, t, s), (groups, t, s) twice
+    q, k, v = ((x @ matrix.T).unflatten(-1, (-1, s)).transpose(0, 1) for matrix in list(layer.values())[:3])

# %% wrong: mean_of_the_heads
# wrong: the mean of the heads in place of joining them: fits where unifyheads has s columns alone
# says: raised RuntimeError
-    return outputs.transpose(0, 1).flatten(1) @ layer["unifyheads"].T, k, v
+    return outputs.mean(dim=0) @ layer["unifyheads"].T, k, v

# %% wrong: keys_repeated_in_turns
# wrong: the values are right, and the keys are repeated in turns
# says: only the keys are repeated in turns
# earns: 2
# likely: only the keys are repeated in turns: heads look at another group's keys and get the right values
# next: repeat the keys as the values, each head in place: `repeat_interleave` along axis 0
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat(shared, 1, 1).mT / math.sqrt(s)

# %% wrong: by_all_heads
# wrong: divides by the root of the dimension of all heads together (catalogue 12)
# says: the root of heads · s
# likely: the scores are divided by the root of heads · s, the components of all heads together
# next: divide by the root of s, the components of a head
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(len(layer["toqueries"]))

# %% wrong: scaled_after_the_softmax
# wrong: divides the weights, not the scores
# says: the weights are divided
# likely: the weights are divided by the root of s, and not the scores
# next: divide the scores, before the softmax
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
+    scores = q @ k.repeat_interleave(shared, dim=0).mT
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
+    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1) / math.sqrt(s)

# %% wrong: heads_for_tokens
# wrong: rotates (t, heads, s), so that heads are counted in place of tokens
# says: by the numbers of their heads
# likely: queries and keys are rotated by the numbers of their heads, not by the positions of their tokens
# next: `rotate_heads` takes `(heads, t, s)`: swap the axes first, then rotate
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k = (rotate_heads(part.transpose(0, 1), n).transpose(0, 1) for part in (q, k))

# %% wrong: rotated_before_they_are_cut
# wrong: rotates whole projections, with angles of one long head
# says: before they are cut into heads
# likely: queries and keys are rotated before they are cut into heads: all heads share the angles of one long head
# next: cut into heads first, `(heads, t, s)`, then rotate: each head has the same angles
-    q, k = rotate_heads(q, n), rotate_heads(k, n)
+    q, k = (rotate_heads(part.transpose(0, 1).flatten(1)[None], n)[0].unflatten(-1, (-1, s)).transpose(0, 1) for part in (q, k))

# %% wrong: mask_the_other_way_round
# wrong: torch's function takes True for what is seen
# says: the other way round
# likely: the mask is the other way round: queries see later keys alone
# next: in torch's function True stands for what is seen: `~later`, or `tril(n)`
-    shared = len(q) // len(k)
-    scores = q @ k.repeat_interleave(shared, dim=0).mT / math.sqrt(s)   # (heads, t, n + t)
-    later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(n + 1)
-    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
-    outputs = weights @ v.repeat_interleave(shared, dim=0)           # (heads, t, s)
+    later = torch.ones(len(x), n + len(x), dtype=torch.bool).triu(n + 1)
+    outputs = nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=later, enable_gqa=True)[0]
