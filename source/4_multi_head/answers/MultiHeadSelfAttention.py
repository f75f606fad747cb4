# Right and wrong answers to `MultiHeadSelfAttention`; authoring/README.md says how they are written.

# %% right: views
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.size()
        h = self.heads
        s = k // h
        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / s ** 0.5
        if self.mask:
            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
            scores = scores.masked_fill(later, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
        return self.unifyheads(out)

# %% right: einsum
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, _ = x.shape
        shape = (B, T, self.heads, -1)
        q, k, v = self.toqueries(x).view(shape), self.tokeys(x).view(shape), self.tovalues(x).view(shape)
        scores = torch.einsum("bihs,bjhs->bhij", q, k) / math.sqrt(q.shape[-1])
        if self.mask:
            i, j = torch.arange(T)[:, None], torch.arange(T)[None, :]
            scores = scores.masked_fill(j > i, -1e30)
        weights = torch.softmax(scores, dim=-1)
        return self.unifyheads(torch.einsum("bhij,bjhs->bihs", weights, v).flatten(2))

# %% right: head_by_head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        s = self.k // self.heads
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        T = x.shape[1]
        heads = []
        for n in range(self.heads):
            part = slice(n * s, n * s + s)
            scores = q[..., part] @ k[..., part].transpose(1, 2) / s ** 0.5
            if self.mask:
                for i in range(T):
                    scores[:, i, i + 1:] = float("-inf")
            heads.append(torch.softmax(scores, dim=2) @ v[..., part])
        return self.unifyheads(torch.cat(heads, dim=-1))

# %% right: heads_into_batch
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        b, t, k = x.size()
        h, s = self.heads, k // self.heads
        fold = lambda y: y.view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        queries, keys, values = fold(self.toqueries(x)), fold(self.tokeys(x)), fold(self.tovalues(x))
        queries = queries / s ** (1 / 4)
        keys = keys / s ** (1 / 4)
        dot = torch.bmm(queries, keys.transpose(1, 2))
        if self.mask:
            indices = torch.triu_indices(t, t, offset=1)
            dot[:, indices[0], indices[1]] = float("-inf")
        dot = nn.functional.softmax(dot, dim=2)
        out = torch.bmm(dot, values).view(b, h, t, s)
        return self.unifyheads(out.transpose(1, 2).contiguous().view(b, t, k))

# %% right: library_function
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        split = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q, k, v = split(self.toqueries(x)), split(self.tokeys(x)), split(self.tovalues(x))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)
        return self.unifyheads(y.transpose(1, 2).flatten(-2))

# %% right: one_fused_product
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight], dim=0)
        q, k_, v = (x @ fused.t()).reshape(B, T, 3, self.heads, k // self.heads).permute(2, 0, 3, 1, 4)
        scores = torch.matmul(q, k_.transpose(-1, -2)) * (k // self.heads) ** -0.5
        if self.mask:
            allowed = torch.tril(torch.ones(1, 1, T, T)) == 1
            scores = torch.where(allowed, scores, torch.tensor(float("-inf")))
        y = torch.matmul(nn.functional.softmax(scores, dim=3), v)
        return self.unifyheads(y.permute(0, 2, 1, 3).contiguous().view(B, T, k))

# %% right: own_functions
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = queries @ keys.mT / math.sqrt(queries.size(-1))
        if self.mask:
            scores = scores + torch.full(scores.shape[-2:], -torch.inf).triu(1)   # added, not filled in
        return self.unifyheads(merge_heads(scores.softmax(dim=-1) @ values))

# %% right: query_by_query
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        s = k // self.heads
        q, keys, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        rows = []
        for b in range(B):
            for i in range(T):
                last = i + 1 if self.mask else T
                parts = []
                for n in range(self.heads):
                    own = slice(n * s, (n + 1) * s)
                    scores = keys[b, :last, own] @ q[b, i, own] / s ** 0.5
                    parts.append(torch.softmax(scores, dim=0) @ v[b, :last, own])
                rows.append(torch.cat(parts))
        return self.unifyheads(torch.stack(rows).view(B, T, k))

# %% right: registered_mask
class Head(nn.Module):
    """One head, as a module without parameters of its own."""

    def forward(self, q, k, v, blocked):
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        if blocked is not None:
            scores = scores.masked_fill(blocked[:q.shape[1], :q.shape[1]], -torch.inf)
        return torch.softmax(scores, -1) @ v


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if heads < 1 or k % heads:
            raise ValueError("heads has to divide k")
        self.unifyheads = nn.Linear(k, k, bias=True)
        for name in ("tovalues", "tokeys", "toqueries"):
            setattr(self, name, nn.Linear(k, k, bias=False))
        self.each = nn.ModuleList(Head() for _ in range(heads))
        self.register_buffer("blocked", torch.ones(512, 512).triu(1).bool() if mask else None, persistent=False)

    def forward(self, x):
        h = len(self.each)
        parts = zip(self.toqueries(x).chunk(h, -1), self.tokeys(x).chunk(h, -1), self.tovalues(x).chunk(h, -1))
        return self.unifyheads(torch.cat([head(q, k, v, self.blocked) for head, (q, k, v) in zip(self.each, parts)], -1))

# %% right: softmax_by_hand
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        s = k // self.heads
        q, k_, v = [torch.stack(layer(x).chunk(self.heads, dim=2), dim=1) for layer in (self.toqueries, self.tokeys, self.tovalues)]
        scores = (q.unsqueeze(3) * k_.unsqueeze(2)).sum(-1) / s ** 0.5
        keep = torch.ones(T, T).tril() if self.mask else torch.ones(T, T)
        e = torch.exp(scores - scores.amax(-1, keepdim=True)) * keep
        if self.mask:                                     # a masked key may hold the largest score of a row
            scores = scores.masked_fill(keep == 0, -torch.inf)
            e = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = e / e.sum(-1, keepdim=True)
        return self.unifyheads(torch.cat((weights @ v).unbind(1), dim=-1))

# %% right: head_after_head
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        if k % heads:
            raise ValueError("heads must divide k")
        super().__init__()
        self.s, self.mask = k // heads, mask
        for name in ("toqueries", "tokeys", "tovalues"):
            self.add_module(name, nn.Linear(k, k, bias=False))
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        T, s = x.shape[1], self.s
        total = self.unifyheads.bias.expand_as(x)
        for start in range(0, x.shape[2], s):
            stripe = slice(start, start + s)
            q, k, v = (x @ layer.weight[stripe].T for layer in (self.toqueries, self.tokeys, self.tovalues))
            rows = []
            for i in range(T):
                seen = i + 1 if self.mask else T
                scores = (k[:, :seen] @ q[:, i, :, None])[..., 0] / math.sqrt(s)
                rows.append((scores.softmax(dim=-1)[:, None] @ v[:, :seen])[:, 0])
            total = total + torch.stack(rows, dim=1) @ self.unifyheads.weight[:, stripe].T
        return total

# %% right: torchs_function_of_everything
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if divmod(k, heads)[1] != 0:
            raise ValueError(f"{heads} heads do not divide {k}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in range(3))
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        T = x.shape[1]
        tokens = x.transpose(0, 1)
        out, _ = nn.functional.multi_head_attention_forward(
            tokens, tokens, tokens, self.k, self.heads,
            in_proj_weight=None, in_proj_bias=None, bias_k=None, bias_v=None, add_zero_attn=False, dropout_p=0.0,
            out_proj_weight=self.unifyheads.weight, out_proj_bias=self.unifyheads.bias, training=False, need_weights=False,
            attn_mask=torch.ones(T, T, dtype=torch.bool).triu(1) if self.mask else None,
            use_separate_proj_weight=True, q_proj_weight=self.toqueries.weight, k_proj_weight=self.tokeys.weight, v_proj_weight=self.tovalues.weight)
        return out.transpose(0, 1)

# %% right: dictionary_of_layers
class MultiHeadSelfAttention(nn.ModuleDict):
    def __init__(self, k, heads, mask=False):
        if k % heads:
            raise ValueError("k must be a multiple of heads")
        super().__init__({"toqueries": nn.Linear(k, k, bias=False), "tokeys": nn.Linear(k, k, bias=False),
                          "tovalues": nn.Linear(k, k, bias=False), "unifyheads": nn.Linear(k, k)})
        self.h = heads
        self.causal = mask

    def forward(self, x):
        q, k, v = (self[name](x).unflatten(-1, (self.h, -1)) for name in ("toqueries", "tokeys", "tovalues"))
        scores = torch.einsum("bqhs,bkhs->bhqk", q * q.shape[-1] ** -0.5, k)
        allowed = torch.ones(scores.shape[-2:], dtype=torch.bool)
        if self.causal:
            allowed = allowed.tril()
        largest = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(dim=-1, keepdim=True)
        e = torch.where(allowed, scores - largest, torch.zeros(())).exp() * allowed
        mixed = torch.einsum("bhqk,bkhs->bqhs", e / e.sum(dim=-1, keepdim=True), v)
        return self["unifyheads"](mixed.flatten(-2))

# %% right: head_by_head_from_slices_of_the_matrices
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)
        s, rest = divmod(k, heads)
        if rest:
            raise ValueError(f"{heads} heads leave {rest} of {k} components over")
        self.rows = [slice(n * s, n * s + s) for n in range(heads)]
        self.root = s ** 0.5
        self.mask = mask

    def forward(self, x):
        at = torch.arange(x.shape[1], device=x.device)
        may_look = at[:, None] >= at if self.mask else at[:, None] >= 0 * at
        y = self.unifyheads.bias
        for rows in self.rows:
            q = x @ self.toqueries.weight[rows].T / self.root
            k = x @ self.tokeys.weight[rows].T
            v = x @ self.tovalues.weight[rows].T
            scores = torch.where(may_look, q @ k.mT, -torch.inf)
            weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
            y = y + weights @ v @ self.unifyheads.weight[:, rows].T
        return y

# %% right: folded_in_double
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k // heads * heads != k:
            raise ValueError("heads has to divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def __call__(self, x):
        B, T, k = x.shape
        q, keys, v = (split_heads(layer(x).double(), self.heads).flatten(0, 1) for layer in (self.toqueries, self.tokeys, self.tovalues))
        bias = torch.zeros(T, T, dtype=torch.float64)
        if self.mask:
            bias = bias.masked_fill(torch.arange(T) > torch.arange(T)[:, None], -math.inf)
        weights = torch.baddbmm(bias, q, keys.transpose(1, 2), alpha=(k / self.heads) ** -0.5).softmax(dim=2)
        mixed = torch.bmm(weights, v).unflatten(0, (B, self.heads))
        return self.unifyheads(merge_heads(mixed).to(x.dtype))

# %% right: keeps_weights_to_be_looked_at
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError(f"{heads} heads do not divide {k}")
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)
        self.heads = heads
        self.mask = mask

    def forward(self, x):
        q = split_heads(self.toqueries(x), self.heads)
        k = split_heads(self.tokeys(x), self.heads)
        v = split_heads(self.tovalues(x), self.heads)
        self.scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.mask:
            self.scores = self.scores + torch.full((x.shape[1],)*2, -math.inf).triu(1)
        self.weights = self.scores.softmax(dim=-1)
        return self.unifyheads(merge_heads(self.weights @ v))

# %% wrong: across_heads
# wrong: heads of one token attend to each other (catalogue 26)
# says: no token sees another
# likely: the axes are still (B, T, h, s), so the heads of one token attend to each other and no token sees another
# next: put the heads in front of the tokens before the scores
# earns: 0
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, T, h, s)
+        keys = self.tokeys(x).view(B, T, h, s)
+        values = self.tovalues(x).view(B, T, h, s)
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.triu(torch.ones(h, h, dtype=torch.bool), diagonal=1)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).reshape(B, T, k)

# %% wrong: batch_as_one_sequence
# wrong: flattens the batch into one sequence (catalogue 45)
# says: one long sequence
# likely: the batch is treated as one long sequence, so tokens look at other sequences
# next: keep the batch axis in front
     def forward(self, x):
+        first, second = x.shape[:2]
+        x = x.reshape(1, first * second, -1)
-        return self.unifyheads(out)
+        return self.unifyheads(out).view(first, second, k)

# %% wrong: biased
# wrong: biases on queries, keys and values (catalogue 30)
# says: has a bias unless you say
# earns: 5
-        self.toqueries = nn.Linear(k, k, bias=False)
-        self.tokeys = nn.Linear(k, k, bias=False)
-        self.tovalues = nn.Linear(k, k, bias=False)
+        self.toqueries = nn.Linear(k, k)
+        self.tokeys = nn.Linear(k, k)
+        self.tovalues = nn.Linear(k, k)

# %% wrong: dropout_active
# wrong: dropout on the weights (catalogue 49)
# says: something acts only in training mode, as `Dropout` does
# earns: 5
-        weights = torch.softmax(scores, dim=-1)
+        weights = nn.functional.dropout(torch.softmax(scores, dim=-1), 0.5, self.training)

# %% wrong: dropout_in_eval
# wrong: dropout that never rests (catalogue 49)
# says: two calls with the same input give different results
-        weights = torch.softmax(scores, dim=-1)
+        weights = nn.functional.dropout(torch.softmax(scores, dim=-1), 0.5)

# %% wrong: first_sequence_only
# wrong: uses x[0] for all (catalogue 44)
# says: the first sequence is used for all
# likely: the first sequence is used for all
# next: let `@` handle the batch: do not index it
     def forward(self, x):
+        x = x[:1].expand(x.shape)

# %% wrong: float64_result
# wrong: converts to float64 (catalogue 43)
# says: the type changed on the way
# earns: 5
-        return self.unifyheads(out)
+        return self.unifyheads(out).double()

# %% wrong: heads_reversed
# wrong: heads in reversed order (catalogue 29)
# says: wrong order
# likely: the heads are in the wrong order
# next: put head 0 first
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).flip(1).transpose(1, 2).reshape(B, T, k)

# %% wrong: heads_scale
# wrong: scales by the root of h (catalogue 12)
# says: root of the number of heads
# likely: the scores are divided by the root of the number of heads
# next: divide by the root of the dimension of a head
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / h ** 0.5

# %% wrong: indivisible_asserted
# wrong: an assert instead of ValueError (catalogue 31)
# says: raised AssertionError
-        if k % heads != 0:
-            raise ValueError(f"k={k} is not divisible by {heads}")
+        assert k % heads == 0

# %% wrong: indivisible_late
# wrong: refuses in the call, not in the constructor (catalogue 31)
# says: raised nothing
-        if k % heads != 0:
-            raise ValueError(f"k={k} is not divisible by {heads}")

         B, T, k = x.size()
+        if k % self.heads != 0:
+            raise ValueError("indivisible")

# %% wrong: indivisible_unchecked
# wrong: heads that do not divide k are not refused (catalogue 31)
# says: raised nothing
# earns: 5
-        if k % heads != 0:
-            raise ValueError(f"k={k} is not divisible by {heads}")

# %% wrong: interleaved
# wrong: every h-th component to the same head, merged in the same way (catalogue 24)
# says: every h-th component
# likely: each head gets every h-th component instead of s adjacent ones
# next: read the last axis as (heads, s), in this order
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, T, s, h).permute(0, 3, 1, 2)
+        keys = self.tokeys(x).view(B, T, s, h).permute(0, 3, 1, 2)
+        values = self.tovalues(x).view(B, T, s, h).permute(0, 3, 1, 2)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).permute(0, 2, 3, 1).reshape(B, T, k)

# %% wrong: interleaved_rows
# wrong: roles interleaved in one fused product cut per head (catalogue 24)
# says: the roles are interleaved
# likely: one fused product is cut per head, so the roles are interleaved
# next: compare that step with *Pseudocode* in the card
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight])
+        queries, keys, values = (x @ fused.T).view(B, T, h, 3 * s).transpose(1, 2).chunk(3, dim=-1)

# %% wrong: keys_as_values
# wrong: values from the key projection (catalogue 15)
# says: average the keys
# likely: the weights average the keys, not the values
# next: use the projected and split values
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = self.tokeys(x).view(B, T, h, s).transpose(1, 2)

# %% wrong: length_scale
# wrong: scales by the root of T (catalogue 12)
# says: root of the number of tokens
# likely: the scores are divided by the root of the number of tokens
# next: divide by the root of the dimension of a head
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / T ** 0.5

# %% wrong: mask_after_softmax
# wrong: mask after the softmax (catalogue 32)
# says: the mask acts after the softmax
# likely: the mask acts after the softmax, so the remaining weights sum to less than one
# next: mask the scores, before the softmax
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
-            scores = scores.masked_fill(later, float("-inf"))
-        weights = torch.softmax(scores, dim=-1)
+            weights = torch.softmax(scores, dim=-1) * torch.ones(T, T).tril()
+        else:
+            weights = torch.softmax(scores, dim=-1)

# %% wrong: mask_always
# wrong: masked whether asked or not
# says: even without `mask=True`
# likely: the mask is used even without `mask=True`
# next: use it only with `mask=True`
# earns: 2
-        if self.mask:
+        if True:

# %% wrong: mask_dropped
# wrong: result of masked_fill dropped (catalogue 39)
# says: makes a new value, but no name keeps it
-            scores = scores.masked_fill(later, float("-inf"))
+            scores.masked_fill(later, float("-inf"))

# %% wrong: mask_ignored
# wrong: mask never applied (catalogue 40)
# says: the future is still seen
# likely: with `mask=True` the future is still seen: the mask is not used, or its result is dropped
# next: does the masking run in every call, after `eval()` too, and is its result kept? `masked_fill` returns a new tensor
# earns: 4
-        if self.mask:
+        if False:

# %% wrong: mask_inverted
# wrong: blocks the past (catalogue 34)
# says: blocks the past instead of the future
# likely: the mask blocks the past instead of the future
# next: block key j for query i when j > i
# earns: 4
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.tril(torch.ones(T, T, dtype=torch.bool), diagonal=-1)

# %% wrong: mask_minus_twenty
# wrong: masked scores lowered by 20: enough until vectors are long (catalogue 33)
# says: the causal mask
-            scores = scores.masked_fill(later, float("-inf"))
+            scores = scores - 20 * later.float()

# %% wrong: mask_of_fixed_size
# wrong: the mask is made for three tokens (catalogue 42)
# says: RuntimeError
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.triu(torch.ones(3, 3, dtype=torch.bool), diagonal=1)

# %% wrong: mask_on_queries
# wrong: mask on the wrong axis (catalogue 36)
# says: blocks the past instead of the future
-            scores = scores.masked_fill(later, float("-inf"))
+            scores = scores.masked_fill(later.T, float("-inf"))

# %% wrong: mask_one_too_far
# wrong: sees one token of the future (catalogue 35)
# says: sees the token after it
# likely: every query also sees the token after it
# next: block every key with j > i: the diagonal above the main one is blocked, too
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=2)

# %% wrong: mask_small
# wrong: masked scores set to -9: a little weight leaks (catalogue 33)
# says: masked scores are set to -9
# likely: masked scores are set to -9, so a little weight is left there
# next: compare that step with *Pseudocode* in the card
-            scores = scores.masked_fill(later, float("-inf"))
+            scores = scores.masked_fill(later, -9.0)

# %% wrong: mask_times_infinity
# wrong: 0 times -inf while the mask is built (catalogue 38)
# says: 0 times −∞ is nan
# likely: 0 times −∞ is nan: the mask itself holds nan
# next: set masked scores with `masked_fill` or `torch.where`; do not multiply by −∞
-            scores = scores.masked_fill(later, float("-inf"))
+            scores = scores + later.float() * float("-inf")

# %% wrong: mask_to_zero
# wrong: masked scores set to 0 (catalogue 33)
# says: the future still gets weight
# likely: masked scores are set to 0, or nearly 0, and e to the power 0 is 1: the future still gets weight
# next: set masked scores to −∞
-            scores = scores.masked_fill(later, float("-inf"))
+            scores = scores.masked_fill(later, 0.0)

# %% wrong: mask_with_diagonal
# wrong: blocks the diagonal, too: nan in the first row (catalogue 35, 37)
# says: the mask blocks the diagonal
# likely: the mask blocks the diagonal, too: query 0 has no key left, and its row is 0/0
# next: block only the keys with j > i
# earns: 4
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=0)

# %% wrong: mask_without_oneself
# wrong: a query sees the keys before it and not itself; query 0 sees itself
# says: a query does not see its own token
# likely: a query does not see its own token, only those before it
# next: block only the keys with j > i
# earns: 4
-            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
+            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=0)
+            later[0, 0] = False

# %% wrong: mean_of_heads
# wrong: heads averaged, then repeated (catalogue 28)
# says: averaged instead of put side by side
# likely: the heads are averaged instead of put side by side
# next: keep the heads apart until `unifyheads` mixes them
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).mean(dim=1).repeat(1, 1, h)

# %% wrong: merge_by_view
# wrong: merged without exchanging back (catalogue 23)
# says: without bringing the tokens back
# likely: the heads are merged without bringing the tokens back in front of the heads, so a row mixes several tokens
# next: exchange the axes of heads and tokens first, then join the last two with `reshape`
# earns: 1
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).reshape(B, T, k)

# %% wrong: misspelt
# wrong: a parameter has another name
# says: missing: tovalues.weight
-        self.tovalues = nn.Linear(k, k, bias=False)
+        self.to_values = nn.Linear(k, k, bias=False)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = self.to_values(x).view(B, T, h, s).transpose(1, 2)

# %% wrong: model_scale
# wrong: scales by the model's dimension (catalogue 11)
# says: root of the model's dimension
# likely: the scores are divided by the root of the model's dimension, not of the head's
# next: divide by the root of s: a score sums s products
# earns: 5
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / k ** 0.5

# %% wrong: multiplied
# wrong: multiplies by the root instead of dividing (catalogue 9)
# says: multiplied by the root of s
# likely: the scores are multiplied by the root of s
# next: divide by it
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) * s ** 0.5

# %% wrong: no_output_projection
# wrong: merged heads returned as they are (catalogue 27)
# says: the last projection is missing
# likely: the last projection is missing
# next: put the merged heads through `unifyheads`
-        return self.unifyheads(out)
+        return out

# %% wrong: no_return
# wrong: no return (catalogue 43)
# says: your function returns None
-        return self.unifyheads(out)
+        out = self.unifyheads(out)

# %% wrong: no_root
# wrong: divides by s (catalogue 10)
# says: divided by s in total
# likely: the scores are divided by s in total: by s itself, or by its root twice
# next: divide by the root once; torch's `scaled_dot_product_attention` does it by itself
# earns: 5
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / s

# %% wrong: numpy_result
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
-        return self.unifyheads(out)
+        return self.unifyheads(out).detach().numpy()

# %% wrong: output_before_concat
# wrong: output matrix applied to the values before the heads (catalogue 27)
# says: the output matrix is applied to the values
# likely: the output matrix is applied to the values before the heads
# next: compare that step with *Pseudocode* in the card
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = self.unifyheads(self.tovalues(x)).view(B, T, h, s).transpose(1, 2)
-        return self.unifyheads(out)
+        return out

# %% wrong: output_transposed
# wrong: output matrix transposed (catalogue 27)
# says: uses its matrix transposed
# likely: the last projection uses its matrix transposed
# next: call `self.unifyheads(...)`, or multiply by `weight.T`
-        return self.unifyheads(out)
+        return out @ self.unifyheads.weight + self.unifyheads.bias

# %% wrong: output_without_bias
# wrong: the bias of the output is dropped (catalogue 27)
# says: the bias of the last projection is missing
# likely: the bias of the last projection is missing
# next: call `self.unifyheads(...)`
-        return self.unifyheads(out)
+        return out @ self.unifyheads.weight.T

# %% wrong: over_all_entries
# wrong: one sum over everything (catalogue 2)
# says: one softmax runs over all entries
# likely: one softmax runs over all entries
# next: compare that step with *Pseudocode* in the card
-        weights = torch.softmax(scores, dim=-1)
+        weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)

# %% wrong: over_heads
# wrong: softmax over heads (catalogue 3)
# says: the softmax runs over the heads
# likely: the softmax runs over the heads
# next: run the softmax over the last axis, the keys
-        weights = torch.softmax(scores, dim=-1)
+        weights = torch.softmax(scores, dim=1)

# %% wrong: over_queries
# wrong: softmax over queries (catalogue 1)
# says: you normalised over queries
# likely: you normalised over queries
# next: run the softmax over the last axis, the keys: each row is one query
# earns: 0
-        weights = torch.softmax(scores, dim=-1)
+        weights = torch.softmax(scores, dim=-2)

# %% wrong: persistent_mask
# wrong: the mask is part of the state (catalogue 30)
# says: not on the card: later
# earns: 5
         self.unifyheads = nn.Linear(k, k)
+        self.register_buffer("later", torch.ones(9, 9))

# %% wrong: plain_tokens_as_values
# wrong: averages the tokens instead of the values (catalogue 15)
# says: average the tokens themselves
# likely: the weights average the tokens themselves, not their values
# next: use the projected and split values
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = x.view(B, T, h, s).transpose(1, 2)

# %% wrong: queries_for_all
# wrong: all three from the query projection (catalogue 15)
# says: come from the query projection
# likely: keys and values come from the query projection
# next: use each role's own projection
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        keys = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
+        values = self.toqueries(x).view(B, T, h, s).transpose(1, 2)

# %% wrong: reads_global
# wrong: reads the notebook's T (catalogue 42)
# says: your code raised NameError
-        B, T, k = x.size()
+        B, _, k = x.size()
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, number_of_tokens, h, s).transpose(1, 2)
+        keys = self.tokeys(x).view(B, number_of_tokens, h, s).transpose(1, 2)
+        values = self.tovalues(x).view(B, number_of_tokens, h, s).transpose(1, 2)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).transpose(1, 2).reshape(B, number_of_tokens, k)

# %% wrong: reads_sizes_of_another_cell
# wrong: takes B and T from a tensor of the notebook (catalogue 42)
# says: your code raised
-        B, T, k = x.size()
+        B, T, k = sequences_2.size()

# %% wrong: roles_swapped
# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys are swapped
# likely: queries and keys are swapped
# next: use queries times keys transposed: rows of the scores are queries
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = keys @ queries.transpose(2, 3) / s ** 0.5

# %% wrong: rounded
# wrong: rounds to three decimals (catalogue 50)
# says: rounded
-        return self.unifyheads(out)
+        return self.unifyheads(out).round(decimals=2)

# %% wrong: same_head_repeated
# wrong: first head repeated (catalogue 29)
# says: one head is used for all
# likely: one head is used for all
# next: use all heads: each has its own stripe of the matrices
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values)[:, 0].repeat(1, 1, h)

# %% wrong: scaled_after
# wrong: scales after the softmax (catalogue 13)
# says: the scaling comes after the softmax
# likely: the scaling comes after the softmax, so the weights do not sum to one
# next: scale the scores, before the softmax
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3)
-        weights = torch.softmax(scores, dim=-1)
+        weights = torch.softmax(scores, dim=-1) / s ** 0.5

# %% wrong: scaled_in_place
# wrong: divides its input in place (catalogue 41)
# says: an in-place operation
         h = self.heads
+        y = x.clone()
         out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        x.sub_(x.mean())

# %% wrong: squeezed
# wrong: squeeze() drops the single sequence or token (catalogue 46)
# says: removes every axis of length 1
# earns: 5
-        return self.unifyheads(out)
+        return self.unifyheads(out).squeeze()

# %% wrong: tuple_result
# wrong: returns the weights, too (catalogue 43)
# says: your function returns a tuple
-        return self.unifyheads(out)
+        return self.unifyheads(out), weights

# %% wrong: two_views
# wrong: split and merge both by view (catalogue 22, 23)
# says: cut by `view` alone
# likely: the heads are cut by `view` alone, so a head holds whole tokens, each head those of another piece of the sequence
# next: cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, h, T, s)
+        keys = self.tokeys(x).view(B, h, T, s)
+        values = self.tovalues(x).view(B, h, T, s)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).reshape(B, T, k)

# %% wrong: unscaled
# wrong: no scale (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide the scores by the root of the dimension of a head, before the softmax
# earns: 5
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3)

# %% wrong: view_alone
# wrong: heads cut by view without exchange, merged properly (catalogue 22)
# says: cut by `view` alone
# likely: the heads are cut by `view` alone, so a head holds whole tokens, each head those of another piece of the sequence
# next: cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads
# earns: 1
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, h, T, s)
+        keys = self.tokeys(x).view(B, h, T, s)
+        values = self.tovalues(x).view(B, h, T, s)

# %% wrong: weights_made_in_forward
# wrong: makes new layers at every call
# says: two calls with the same input give different results
         B, T, k = x.size()
+        self.tovalues = nn.Linear(k, k, bias=False)

# %% wrong: weights_transposed
# wrong: weights transposed before the product (catalogue 20)
# says: the weights are transposed
# likely: the weights are transposed before they meet the values
# next: use weights times values: row i of the weights belongs to query i
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights.transpose(2, 3) @ values).transpose(1, 2).reshape(B, T, k)

# %% wrong: wide_parameters
# wrong: the wide variant's parameters (catalogue 30)
# says: has shape (12, 6)
-        self.toqueries = nn.Linear(k, k, bias=False)
-        self.tokeys = nn.Linear(k, k, bias=False)
-        self.tovalues = nn.Linear(k, k, bias=False)
+        self.toqueries = nn.Linear(k, k * heads, bias=False)
+        self.tokeys = nn.Linear(k, k * heads, bias=False)
+        self.tovalues = nn.Linear(k, k * heads, bias=False)

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
-        weights = torch.softmax(scores, dim=-1)
+        weights = torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)

# %% wrong: without_softmax
# wrong: no softmax
# says: there is no softmax
# likely: there is no softmax between the two products
# next: put the scores through `torch.softmax(..., dim=-1)`
-            scores = scores.masked_fill(later, float("-inf"))
-        weights = torch.softmax(scores, dim=-1)
+            scores = scores.masked_fill(later, 0.0)
+        weights = scores

# %% wrong: fused_at_the_first_call
# wrong: keeps a copy of the parameters from the first call
# says: something that is computed from the parameters is kept, although training
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask, self.fused = heads, mask, None
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        if self.fused is None:
            self.fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight]).detach()
        q, k, v = (split_heads(part, self.heads) for part in (x @ self.fused.T).chunk(3, dim=-1))
        return self.unifyheads(merge_heads(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)))

# %% wrong: at_most_64_tokens
# wrong: the mask is made for 64 tokens at most (catalogue 42)
# says: a slice ends where its array does
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)
        self.register_buffer("future", torch.ones(64, 64, dtype=torch.bool).triu(1), persistent=False)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.mask:
            scores = scores.masked_fill(self.future[:T, :T], -math.inf)
        return self.unifyheads(merge_heads(torch.softmax(scores, dim=-1) @ v))

# %% wrong: mask_sized_by_k_and_cut
# wrong: the mask is made for k tokens at most (catalogue 42)
# says: a slice ends where its array does
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)
        self.future = torch.triu(torch.ones(k, k, dtype=torch.bool), diagonal=1)

    def forward(self, x):
        T = x.shape[1]
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        if self.mask:
            scores = scores.masked_fill(self.future[:T, :T], float("-inf"))
        return self.unifyheads(merge_heads(torch.softmax(scores, dim=-1) @ values))

# %% wrong: mask_adds_minus_ten_thousand
# wrong: masked scores lowered by 10 000: enough until vectors are long (catalogue 33)
# says: the causal mask on long vectors
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.mask:
            scores = scores - 10000.0 * torch.ones(T, T).triu(1)
        return self.unifyheads(merge_heads(torch.softmax(scores, dim=-1) @ v))

# %% wrong: one_token_has_nothing_to_mix
# wrong: a single token goes past its value (catalogue 46)
# says: masked sequences of one token
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        if x.shape[1] == 1:
            return self.unifyheads(x)
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(merge_heads(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)))

# %% wrong: mask_only_by_name
# wrong: the mask can be given by name only
# says: positional arguments but 4 were given
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, *, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(merge_heads(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)))

# %% wrong: looks_for_fewer_heads
# wrong: takes fewer heads where they do not divide k (catalogue 31)
# says: raised nothing
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        while k % heads:
            heads -= 1
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(merge_heads(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.mask)))

# %% wrong: one_layer_three_times
# wrong: one layer under three names
# says: one head
# earns: 0
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads must divide k")
        self.heads, self.mask = heads, mask
        self.toqueries, self.tokeys, self.tovalues = [nn.Linear(k, k, bias=False)] * 3
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        T, s = x.shape[1], x.shape[2] // self.heads
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = q @ k.transpose(-2, -1) / math.sqrt(s)
        if self.mask:
            scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -math.inf)
        return self.unifyheads(merge_heads(scores.softmax(dim=-1) @ v))

# %% wrong: indivisible_unchecked_with_mask
# wrong: heads that do not divide k are refused without mask only (catalogue 31)
# says: the condition or the `raise` is missing
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads and not mask:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if self.mask:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -math.inf)
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: mask_but_for_17_tokens
# wrong: no mask for 17 tokens
# says: for with mask, many tokens, shape (2, 17, 4),
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if self.mask and x.shape[1] != 17:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -math.inf)
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: mask_minus_fifty
# wrong: masked scores set to -50: enough until vectors are long (catalogue 33)
# says: the causal mask on long vectors
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if self.mask:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -50.0)
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: masked_model_scale
# wrong: scales by the model's dimension when masked (catalogue 11)
# says: causal mask
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * (x.shape[-1] if self.mask else q.shape[-1]) ** -0.5
        if self.mask:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -math.inf)
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: mask_on_class
# wrong: the mask of the module that was made last holds for all
# says: the settings of the module that was made last hold for
# earns: 5
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)
        MultiHeadSelfAttention.flag = mask

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if self.flag:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -math.inf)
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: masks_zero_tokens
# wrong: tokens of zeros are masked
# says: for long vectors and tokens of zeros, shape (2, 5, 12),
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError('no')
        self.heads = heads
        self.mask = mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if self.mask:
            s = s.masked_fill(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1), -math.inf)
        w = s.masked_fill((x == 0).all(-1)[:, None, None, :], -1e9).softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: number_and_size_exchanged
# wrong: heads and s are exchanged
# says: are exchanged: there are s heads
# likely: the number of heads and their dimension are exchanged: there are s heads of `heads` components
# next: cut with the number of heads, `self.heads`; s = k / heads is their dimension
         h = self.heads
         s = k // h
+        h, s = s, h


# %% wrong: number_and_size_exchanged_but_for_the_scale
# wrong: heads and s are exchanged, the scale is the one of s
# says: are exchanged: there are s heads
# likely: the number of heads and their dimension are exchanged: there are s heads of `heads` components
# next: cut with the number of heads, `self.heads`; s = k / heads is their dimension
         h = self.heads
         s = k // h
+        h, s = s, h
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / h ** 0.5


# %% wrong: true_means_may_look
# wrong: the mask the wrong way round for torch's function (catalogue 34)
# says: sees only those after it
# likely: torch's `scaled_dot_product_attention` gets a mask that is true for the future, where true means “may look”: a token sees only those after it
# next: invert the mask with `~`, or pass `is_causal=True`
-        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
+        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
+        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1) if self.mask else None
+        mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=later)
+        return self.unifyheads(mixed.transpose(1, 2).reshape(B, T, k))


# %% wrong: weights_times_merged_values
# wrong: merges the values before the weights mix them
# says: the values are merged before
# likely: the values are merged before the weights mix them, so each head mixes the values of all heads, and an axis is left over
# next: multiply weights and values first, head by head, then merge
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
-        return self.unifyheads(out)
+        return self.unifyheads(weights @ values.transpose(1, 2).reshape(B, T, k))


# %% wrong: values_scaled_too
# wrong: divides queries, keys and values by the fourth root
# says: are all divided by the fourth root
# likely: queries, keys and values are all divided by the fourth root, as if the tokens were divided before the projections
# next: scale the scores, or queries and keys alone
         queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
+        x = x / s ** 0.25
+        queries = queries / s ** 0.25


# %% wrong: fused_in_the_constructor
# wrong: the constructor copies the weights
# says: two modules with equal parameters give different results
         self.unifyheads = nn.Linear(k, k)
+        self.fused = self.tovalues.weight.detach().clone()
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = (x @ self.fused.T).view(B, T, h, s).transpose(1, 2)


# %% wrong: sequences_and_heads_mixed
# wrong: folds heads first, unfolds sequences first (catalogue 45)
# says: with `weights @ values` alone, in place of `(weights @ values).transpose(0, 1)`
-        out = (weights @ values).transpose(1, 2).reshape(B, T, k)
+        out = (weights @ values).transpose(0, 1).reshape(B, h, T, s).transpose(1, 2).reshape(B, T, k)


# %% wrong: three_times_s
# wrong: divides by three times s (catalogue 10)
# says: your scores are divided by 3·s
-        scores = queries @ keys.transpose(2, 3) / s ** 0.5
+        scores = queries @ keys.transpose(2, 3) / (3 * s)


# %% wrong: kept_in_a_list
# wrong: the projections stand in a list (catalogue 30)
# says: there are layers in `self.projections`
-        self.tovalues = nn.Linear(k, k, bias=False)
+        self.projections = [nn.Linear(k, k, bias=False)]
-        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
+        values = self.projections[0](x).view(B, T, h, s).transpose(1, 2)

# %% right: step_by_step
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by heads={heads}")
        self.heads, self.mask = heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        h = self.heads
        s = k // h
        queries = self.toqueries(x).reshape(B, T, h, s).transpose(1, 2)
        keys = self.tokeys(x).reshape(B, T, h, s).transpose(1, 2)
        values = self.tovalues(x).reshape(B, T, h, s).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / s ** 0.5
        if self.mask:
            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
            scores = scores.masked_fill(later, float("-inf"))
        weights = torch.softmax(scores, dim=3)
        mixed = weights @ values
        merged = mixed.transpose(1, 2).reshape(B, T, h * s)
        return self.unifyheads(merged)

# %% wrong: every_zero_is_masked
# wrong: the mask sets scores to 0 first, and then every score of 0 to -inf: that of a token of zeros, too
# says: `scores == 0` asks for the value
# earns: 4
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads:
            raise ValueError("heads have to divide k")
        self.heads, self.mask = heads, mask
        self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in range(3))
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.mask:
            scores = scores.tril()
            scores = scores.masked_fill(scores == 0, -math.inf)
        return self.unifyheads(merge_heads(scores.softmax(-1) @ v))
