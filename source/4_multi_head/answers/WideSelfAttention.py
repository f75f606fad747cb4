# Right and wrong answers to `WideSelfAttention`; authoring/README.md says how they are written.

# %% right: views
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.size()
        h = self.heads
        queries = self.toqueries(x).view(B, T, h, k).transpose(1, 2)
        keys = self.tokeys(x).view(B, T, h, k).transpose(1, 2)
        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
        queries = queries / k ** (1 / 4)
        keys = keys / k ** (1 / 4)
        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
        return self.unifyheads(out)

# %% right: einsum
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        q, keys, v = (layer(x).reshape(B, T, self.heads, k) for layer in (self.toqueries, self.tokeys, self.tovalues))
        dot = torch.einsum("bthi,bshi->bhts", q / k ** 0.25, keys / k ** 0.25)
        out = torch.einsum("bhts,bshi->bthi", dot.softmax(dim=-1), v)
        return self.unifyheads(out.reshape(B, T, self.heads * k))

# %% right: head_by_head
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        heads = []
        for n in range(self.heads):
            own = slice(n * self.k, (n + 1) * self.k)
            scores = q[:, :, own] @ k[:, :, own].transpose(-1, -2) / self.k ** 0.5
            heads.append(torch.softmax(scores, dim=-1) @ v[:, :, own])
        return self.unifyheads(torch.cat(heads, dim=-1))

# %% right: heads_into_batch
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        b, t, k = x.size()
        h = self.heads
        keys = self.tokeys(x).view(b, t, h, k)
        queries = self.toqueries(x).view(b, t, h, k)
        values = self.tovalues(x).view(b, t, h, k)
        keys = keys.transpose(1, 2).contiguous().view(b * h, t, k)
        queries = queries.transpose(1, 2).contiguous().view(b * h, t, k)
        values = values.transpose(1, 2).contiguous().view(b * h, t, k)
        queries /= k ** (1 / 4)
        keys /= k ** (1 / 4)
        dot = nn.functional.softmax(torch.bmm(queries, keys.transpose(1, 2)), dim=2)
        out = torch.bmm(dot, values).view(b, h, t, k)
        return self.unifyheads(out.transpose(1, 2).contiguous().view(b, t, h * k))

# %% right: heads_summed_after_projection
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        y = self.unifyheads.bias.expand(B, T, k)
        for n, (wq, wk, wv) in enumerate(zip(*(layer.weight.split(k) for layer in (self.toqueries, self.tokeys, self.tovalues)))):
            weights = torch.softmax((x @ wq.T) @ (x @ wk.T).transpose(1, 2) / k ** 0.5, dim=-1)
            y = y + weights @ (x @ wv.T) @ self.unifyheads.weight[:, n * k:n * k + k].T
        return y

# %% right: library_function
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = (torch.stack(layer(x).chunk(self.heads, -1), 1) for layer in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(torch.cat(nn.functional.scaled_dot_product_attention(q, k, v).unbind(1), -1))

# %% right: one_fused_product
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        fused = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight])
        q, keys, v = (split_heads(part, self.heads) for part in (x @ fused.T).chunk(3, dim=-1))
        return self.unifyheads(merge_heads(torch.softmax(q @ keys.transpose(2, 3) * k ** -0.5, dim=3) @ v))

# %% right: own_functions
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        weights = (q @ k.mT / math.sqrt(self.k)).softmax(-1)
        return self.unifyheads(merge_heads(weights @ v))

# %% right: bilinear_form_of_each_head
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        shape = (self.heads, self.k, self.k)
        wq, wk, wv = (layer.weight.view(shape) for layer in (self.toqueries, self.tokeys, self.tovalues))
        wo = self.unifyheads.weight.view(self.k, self.heads, self.k).transpose(0, 1)
        form = wq.transpose(1, 2) @ wk                                     # (h, k, k)
        scores = x[:, None] @ form @ x[:, None].transpose(2, 3) * self.k ** -0.5
        return (scores.softmax(-1) @ (x[:, None] @ (wo @ wv).transpose(1, 2))).sum(dim=1) + self.unifyheads.bias

# %% right: one_sequence_and_head_at_a_time
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        nn.Module.__init__(self)
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        k = x.size(-1)
        fourth_root = math.sqrt(math.sqrt(k))
        result = []
        for tokens in x:
            heads = []
            for q, key, v in zip(*(layer(tokens).split(k, dim=1) for layer in (self.toqueries, self.tokeys, self.tovalues))):
                scores = (q / fourth_root).mm((key / fourth_root).t())
                heads.append((scores - scores.logsumexp(dim=1, keepdim=True)).exp().mm(v))
            result.append(self.unifyheads(torch.hstack(heads)))
        return torch.stack(result)

# %% wrong: across_heads
# wrong: heads of one token attend to each other (catalogue 26)
# says: no token sees another
# likely: the axes are still (B, T, h, s), so the heads of one token attend to each other and no token sees another
# next: put the heads in front of the tokens before the scores
-        queries = self.toqueries(x).view(B, T, h, k).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, k).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
+        queries = self.toqueries(x).view(B, T, h, k)
+        keys = self.tokeys(x).view(B, T, h, k)
+        values = self.tovalues(x).view(B, T, h, k)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).reshape(B, T, h * k)

# %% wrong: all_heads_scale
# wrong: scale of all heads together (catalogue 11)
# says: counts the components of all heads
# likely: the scale counts the components of all heads together
# next: use the root of k: a score sums k products
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / (h * k) ** (1 / 4)
+        keys = keys / (h * k) ** (1 / 4)

# %% wrong: batch_as_one_sequence
# wrong: flattens the batch (catalogue 45)
# says: the batch is flattened
# likely: the batch is flattened
# next: compare that step with *Pseudocode* in the card
     def forward(self, x):
+        first, second = x.shape[:2]
+        x = x.reshape(1, first * second, -1)
-        return self.unifyheads(out)
+        return self.unifyheads(out).view(first, second, k)

# %% wrong: biased
# wrong: biases everywhere (catalogue 30)
# says: has a bias unless you say
# earns: 3
-        self.toqueries = nn.Linear(k, heads * k, bias=False)
-        self.tokeys = nn.Linear(k, heads * k, bias=False)
-        self.tovalues = nn.Linear(k, heads * k, bias=False)
+        self.toqueries = nn.Linear(k, heads * k)
+        self.tokeys = nn.Linear(k, heads * k)
+        self.tovalues = nn.Linear(k, heads * k)

# %% wrong: bias_for_each_head
# wrong: each head goes through its part of the last layer by itself, bias and all
# says: is added once for each head
# likely: the bias of `unifyheads` is added once for each head
# next: add it once, after the sum over the heads
# earns: 1
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
-        return self.unifyheads(out)
+        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        return self.unifyheads(out) + (h - 1) * self.unifyheads.bias

# %% wrong: changes_input
# wrong: centres its input in place (catalogue 41)
# says: an in-place operation
         out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        x.sub_(x.mean())

# %% wrong: first_sequence_only
# wrong: uses x[0] (catalogue 44)
# says: only x[0] is used
# likely: only x[0] is used
# next: compare that step with *Pseudocode* in the card
     def forward(self, x):
+        x = x[:1].expand(x.shape)

# %% wrong: float64_result
# wrong: converts to float64 (catalogue 43)
# says: the type changed on the way
# earns: 3
-        return self.unifyheads(out)
+        return self.unifyheads(out).double()

# %% wrong: heads_reversed
# wrong: heads in reversed order (catalogue 29)
# says: wrong order
# likely: the heads are in the wrong order
# next: put head 0 first
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).flip(1).transpose(1, 2).reshape(B, T, h * k)

# %% wrong: integer_exponent
# wrong: k ** (1 // 4) is 1: no scale (catalogue 43)
# says: the scores are not scaled
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / k ** (1 // 4)
+        keys = keys / k ** (1 // 4)

# %% wrong: interleaved
# wrong: every h-th component to the same head (catalogue 24)
# says: every h-th component
# likely: each head gets every h-th component instead of s adjacent ones
# next: read the last axis as (heads, s), in this order
-        queries = self.toqueries(x).view(B, T, h, k).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, k).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
+        queries = self.toqueries(x).view(B, T, k, h).permute(0, 3, 1, 2)
+        keys = self.tokeys(x).view(B, T, k, h).permute(0, 3, 1, 2)
+        values = self.tovalues(x).view(B, T, k, h).permute(0, 3, 1, 2)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).permute(0, 2, 3, 1).reshape(B, T, h * k)

# %% wrong: masked
# wrong: a causal mask that nobody asked for
# says: a causal mask is used
# likely: a causal mask is used, but there should be none
# next: compare that step with *Pseudocode* in the card
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax((queries @ keys.transpose(2, 3)).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf), dim=-1)

# %% wrong: merge_by_view
# wrong: merged without exchange (catalogue 23)
# says: without bringing the tokens back
# likely: the heads are merged without bringing the tokens back in front of the heads, so a row mixes several tokens
# next: exchange the axes of heads and tokens first, then join the last two with `reshape`
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).reshape(B, T, h * k)

# %% wrong: narrow_parameters
# wrong: the narrow variant's parameters (catalogue 30)
# says: has shape (3, 3)
-        self.toqueries = nn.Linear(k, heads * k, bias=False)
-        self.tokeys = nn.Linear(k, heads * k, bias=False)
-        self.tovalues = nn.Linear(k, heads * k, bias=False)
+        self.toqueries = nn.Linear(k, k, bias=False)
+        self.tokeys = nn.Linear(k, k, bias=False)
+        self.tovalues = nn.Linear(k, k, bias=False)

# %% wrong: narrow_scale
# wrong: the scale of narrow heads (catalogue 11)
# says: that of narrow heads
# likely: the scale is that of narrow heads, k / heads
# next: use the scale of a wide head, which has k components
# earns: 3
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / (k / h) ** (1 / 4)
+        keys = keys / (k / h) ** (1 / 4)

# %% wrong: no_output_bias
# wrong: drops the bias (catalogue 27)
# says: the bias is left out
# likely: the bias is left out
# next: compare that step with *Pseudocode* in the card
-        return self.unifyheads(out)
+        return out @ self.unifyheads.weight.T

# %% wrong: over_batch
# wrong: softmax over the batch (catalogue 3)
# says: the softmax runs over the batch
# likely: the softmax runs over the batch
# next: compare that step with *Pseudocode* in the card
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=0)

# %% wrong: over_queries
# wrong: softmax over queries (catalogue 1)
# says: you normalised over queries
# likely: you normalised over queries
# next: run the softmax over the last axis, the keys: each row is one query
# earns: 0
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-2)

# %% wrong: plain_tokens_as_values
# wrong: averages the tokens (catalogue 15)
# says: average the tokens themselves
# likely: the weights average the tokens themselves, not their values
# next: use the projected and split values
-        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
+        values = x.repeat(1, 1, h).view(B, T, h, k).transpose(1, 2)

# %% wrong: refuses_heads
# wrong: refuses heads that do not divide k
# says: your code raised ValueError
# earns: 1
         super().__init__()
+        if k % heads:
+            raise ValueError("heads must divide k")

# %% wrong: roles_swapped
# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys are swapped
# likely: queries and keys are swapped
# next: use queries times keys transposed: rows of the scores are queries
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(keys @ queries.transpose(2, 3), dim=-1)

# %% wrong: same_head_repeated
# wrong: first head repeated (catalogue 29)
# says: one head is used for all
# likely: one head is used for all
# next: use all heads: each has its own stripe of the matrices
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values)[:, 0].repeat(1, 1, h)

# %% wrong: scaled_after
# wrong: scaled after the softmax (catalogue 13)
# says: the scaling comes after the softmax
# likely: the scaling comes after the softmax
# next: compare that step with *Pseudocode* in the card
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1) / k ** 0.5

# %% wrong: scaled_once
# wrong: only the queries are scaled
# says: only one of queries and keys
# likely: only one of queries and keys is divided by the fourth root
# next: divide both, or divide the scores by the square root
# earns: 3
-        keys = keys / k ** (1 / 4)

# %% wrong: square_roots
# wrong: square root on both sides (catalogue 10)
# says: both divided by the square root
# likely: queries and keys are both divided by the square root, so the scores by k
# next: divide each of the two by the fourth root
# earns: 3
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / k ** (1 / 2)
+        keys = keys / k ** (1 / 2)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 is missing: an index, `squeeze` or a sum without
-        return self.unifyheads(out)
+        return self.unifyheads(out).squeeze()

# %% wrong: sum_of_heads
# wrong: heads added, unifyheads of (k, k) (catalogue 28)
# says: unifyheads.weight has shape (3, 3)
-        self.unifyheads = nn.Linear(heads * k, k)
+        self.unifyheads = nn.Linear(k, k)
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).sum(dim=1)

# %% wrong: unscaled
# wrong: no scale (catalogue 9)
# says: the scores are not scaled
# likely: the scores are not scaled
# next: divide queries and keys by the fourth root of k
# earns: 3
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)

# %% wrong: view_alone
# wrong: heads cut by view (catalogue 22)
# says: cut by `view` alone
# likely: the heads are cut by `view` alone, so a head holds whole tokens, each head those of another piece of the sequence
# next: cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads
# earns: 1
-        queries = self.toqueries(x).view(B, T, h, k).transpose(1, 2)
-        keys = self.tokeys(x).view(B, T, h, k).transpose(1, 2)
-        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
+        queries = self.toqueries(x).view(B, h, T, k)
+        keys = self.tokeys(x).view(B, h, T, k)
+        values = self.tovalues(x).view(B, h, T, k)

# %% wrong: without_maximum
# wrong: exponentials that overflow (catalogue 7)
# says: nan or inf
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = (lambda e: e / e.sum(-1, keepdim=True))(torch.exp(queries @ keys.transpose(2, 3)))

# %% wrong: at_most_k_heads
# wrong: refuses more heads than components
# says: your own line raises it, because `not 1 <= heads <=
# earns: 1
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        if not 1 <= heads <= k:
            raise ValueError("there are more heads than components")
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        weights = torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
        return self.unifyheads(merge_heads(weights @ values))

# %% wrong: masks_empty_tokens
# wrong: tokens of zeros are masked
# says: for several heads, shape (2, 5, 1)
# earns: 2
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(x.shape[-1])
        padding = (x == 0).all(dim=-1)[:, None, None, :]
        weights = torch.softmax(scores.masked_fill(padding, -1e9), dim=-1)
        return self.unifyheads(merge_heads(weights @ values))

# %% wrong: heads_of_the_last_module
# wrong: the number of heads is kept on the class
# says: the settings of the module that was made last hold for
# earns: 2
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        WideSelfAttention.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        weights = torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
        return self.unifyheads(merge_heads(weights @ values))

# %% wrong: queries_in_blocks_of_two
# wrong: with an odd number of tokens the last query is left out
# says: shape (2, 2, 4)
# earns: 0
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        blocks = []
        for i in range(x.shape[1] // 2):
            block = queries[:, :, 2 * i:2 * i + 2] @ keys.transpose(-2, -1) / math.sqrt(x.shape[-1])
            blocks.append(torch.softmax(block, dim=-1) @ values)
        return self.unifyheads(merge_heads(torch.cat(blocks, dim=2)))

# %% wrong: scores_at_most_fifty
# wrong: cuts scores off at 50
# says: all inputs of this check come out right
# earns: 1
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = (queries @ keys.transpose(-2, -1) / math.sqrt(x.shape[-1])).clamp(-50, 50)
        return self.unifyheads(merge_heads(torch.softmax(scores, dim=-1) @ values))

# %% wrong: nothing_to_unify
# wrong: one head goes past the output projection (catalogue 27)
# says: for a single token
# earns: 2
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        mixed = merge_heads(nn.functional.scaled_dot_product_attention(queries, keys, values))
        return self.unifyheads(mixed) if self.heads > 1 else mixed

# %% wrong: dropout_of_sdpa
# wrong: dropout in training mode (catalogue 49)
# says: something acts only in training mode, as `Dropout` does
# earns: 3
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.toqueries, self.tokeys, self.tovalues))
        mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, dropout_p=0.1 if self.training else 0.0)
        return self.unifyheads(merge_heads(mixed))

# %% wrong: remembers_by_shape
# wrong: remembers the output by shape
# says: the module keeps something from an earlier call, such as a
# earns: 1
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads

        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)
        self.known = {}

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        w = s.softmax(-1)
        y = self.unifyheads((w @ v).transpose(1, 2).flatten(2))
        y = self.known.setdefault(x.shape, y)
        return y

# %% wrong: values_scaled_too
# wrong: divides the tokens by the fourth root
# says: are all divided by the fourth root
# likely: queries, keys and values are all divided by the fourth root, as if the tokens were divided before the projections
# next: divide queries and keys alone, after the projections
     def forward(self, x):
+        x = x / x.shape[-1] ** 0.25
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)


# %% wrong: mean_of_heads
# wrong: heads averaged, then repeated (catalogue 28)
# says: averaged instead of put side by side
# likely: the heads are averaged instead of put side by side
# next: keep the heads apart until `unifyheads` mixes them
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).mean(dim=1).repeat(1, 1, h)


# %% wrong: sum_of_heads_repeated
# wrong: heads added, then repeated (catalogue 28)
# says: added up instead of put side by side
# likely: the heads are added up instead of put side by side
# next: keep the heads apart until `unifyheads` mixes them
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values).sum(dim=1).repeat(1, 1, h)


# %% wrong: weights_times_merged_values
# wrong: merges the values before the weights mix them
# says: the values are merged before
# likely: the values are merged before the weights mix them, so each head mixes the values of all heads, and an axis is left over
# next: multiply weights and values first, head by head, then merge
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = weights @ values.transpose(1, 2).reshape(B, T, h * k)


# %% wrong: width_to_the_power
# wrong: a power in place of a product (catalogue 30)
# says: the layer has heads to the power of k outputs and k inputs
-        self.toqueries = nn.Linear(k, heads * k, bias=False)
+        self.toqueries = nn.Linear(k, heads ** k, bias=False)

# %% right: step_by_step
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        h = self.heads
        s = k
        queries = self.toqueries(x).reshape(B, T, h, s).transpose(1, 2)
        keys = self.tokeys(x).reshape(B, T, h, s).transpose(1, 2)
        values = self.tovalues(x).reshape(B, T, h, s).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / s ** 0.5
        weights = torch.softmax(scores, dim=3)
        mixed = weights @ values
        merged = mixed.transpose(1, 2).reshape(B, T, h * s)
        return self.unifyheads(merged)
