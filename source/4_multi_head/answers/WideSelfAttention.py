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

# %% wrong: across_heads
# wrong: heads of one token attend to each other (catalogue 26)
# says: no token sees another
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
# says: counts the numbers of all heads
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / (h * k) ** (1 / 4)
+        keys = keys / (h * k) ** (1 / 4)

# %% wrong: batch_as_one_sequence
# wrong: flattens the batch (catalogue 45)
# says: no mistake that this check knows
     def forward(self, x):
+        first, second = x.shape[:2]
+        x = x.reshape(1, first * second, -1)
-        return self.unifyheads(out)
+        return self.unifyheads(out).view(first, second, k)

# %% wrong: biased
# wrong: biases everywhere (catalogue 30)
# says: has a bias unless you say
-        self.toqueries = nn.Linear(k, heads * k, bias=False)
-        self.tokeys = nn.Linear(k, heads * k, bias=False)
-        self.tovalues = nn.Linear(k, heads * k, bias=False)
+        self.toqueries = nn.Linear(k, heads * k)
+        self.tokeys = nn.Linear(k, heads * k)
+        self.tovalues = nn.Linear(k, heads * k)

# %% wrong: changes_input
# wrong: centres its input in place (catalogue 41)
# says: an in-place operation
         out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        x.sub_(x.mean())

# %% wrong: first_sequence_only
# wrong: uses x[0] (catalogue 44)
# says: no mistake that this check knows
     def forward(self, x):
+        x = x[:1].expand(x.shape)

# %% wrong: float64_result
# wrong: converts to float64 (catalogue 43)
# says: only the hidden tests see it
-        return self.unifyheads(out)
+        return self.unifyheads(out).double()

# %% wrong: heads_reversed
# wrong: heads in reversed order (catalogue 29)
# says: wrong order
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
# wrong: every h-th number to the same head (catalogue 24)
# says: every h-th number
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
# says: no mistake that this check knows
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax((queries @ keys.transpose(2, 3)).masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf), dim=-1)

# %% wrong: merge_by_view
# wrong: merged without exchange (catalogue 23)
# says: without bringing the tokens back
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
# says: the one of narrow heads
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / (k / h) ** (1 / 4)
+        keys = keys / (k / h) ** (1 / 4)

# %% wrong: no_output_bias
# wrong: drops the bias (catalogue 27)
# says: no mistake that this check knows
-        return self.unifyheads(out)
+        return out @ self.unifyheads.weight.T

# %% wrong: over_batch
# wrong: softmax over the batch (catalogue 3)
# says: no mistake that this check knows
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=0)

# %% wrong: over_queries
# wrong: softmax over queries (catalogue 1)
# says: you normalised over queries
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-2)

# %% wrong: plain_tokens_as_values
# wrong: averages the tokens (catalogue 15)
# says: average the tokens themselves
-        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
+        values = x.repeat(1, 1, h).view(B, T, h, k).transpose(1, 2)

# %% wrong: refuses_heads
# wrong: refuses heads that do not divide k
# says: your code raised ValueError
         super().__init__()
+        if k % heads:
+            raise ValueError("heads must divide k")

# %% wrong: roles_swapped
# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys changed roles
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(keys @ queries.transpose(2, 3), dim=-1)

# %% wrong: same_head_repeated
# wrong: first head repeated (catalogue 29)
# says: one head is used for all
-        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
+        out = (weights @ values)[:, 0].repeat(1, 1, h)

# %% wrong: scaled_after
# wrong: scaled after the softmax (catalogue 13)
# says: no mistake that this check knows
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
-        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
+        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1) / k ** 0.5

# %% wrong: scaled_once
# wrong: only the queries are scaled
# says: only one of queries and keys
-        keys = keys / k ** (1 / 4)

# %% wrong: square_roots
# wrong: square root on both sides (catalogue 10)
# says: both divided by the square root
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)
+        queries = queries / k ** (1 / 2)
+        keys = keys / k ** (1 / 2)

# %% wrong: squeezed
# wrong: squeeze() (catalogue 46)
# says: an axis of length 1 was dropped
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
-        queries = queries / k ** (1 / 4)
-        keys = keys / k ** (1 / 4)

# %% wrong: view_alone
# wrong: heads cut by view (catalogue 22)
# says: cut by `view` alone
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
