# Right and wrong answers to `RepairedAttention`; authoring/README.md says how they are written.

# %% right: four_changes
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
        weights = torch.softmax(score, dim=-1)
        mixed = weights @ values
        return self.output(mixed.transpose(1, 2).reshape(B, T, k))

# %% right: einsum
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        q, key, v = (layer(x).view(B, T, self.heads, -1) for layer in (self.queries, self.keys, self.values))
        a = (torch.einsum("bihs,bjhs->bhij", q, key) / q.shape[-1] ** 0.5).softmax(-1)
        return self.output(torch.einsum("bhij,bjhs->bihs", a, v).reshape(B, T, k))

# %% right: head_by_head
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        s = x.shape[-1] // self.heads
        q, k, v = self.queries(x), self.keys(x), self.values(x)
        heads = []
        for n in range(self.heads):
            own = slice(n * s, n * s + s)
            heads.append(torch.softmax(q[..., own] @ k[..., own].transpose(1, 2) / s ** 0.5, dim=-1) @ v[..., own])
        return self.output(torch.cat(heads, dim=-1))

# %% right: library_function
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        parts = [split_heads(layer(x), self.heads) for layer in (self.queries, self.keys, self.values)]
        return self.output(merge_heads(nn.functional.scaled_dot_product_attention(*parts)))

# %% right: merge_heads
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        queries, keys, values = split_heads(self.queries(x), self.heads), split_heads(self.keys(x), self.heads), split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
        return self.output(merge_heads(torch.softmax(scores, dim=-1) @ values))

# %% right: one_fused_product
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        fused = torch.cat([self.queries.weight, self.keys.weight, self.values.weight])
        q, k, v = (torch.stack(part.chunk(self.heads, -1), 1) for part in (x @ fused.T).chunk(3, -1))
        return self.output(torch.cat(((q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v).unbind(1), -1))

# %% right: mends_the_inherited_one
class RepairedAttention(FaultyAttention):
    def __init__(self, k, heads):
        super().__init__(k, heads)
        self.values = self.value
        del self.value

    def forward(self, x):
        queries, keys, values = (split_heads(layer(x), self.heads) for layer in (self.queries, self.keys, self.values))
        weights = torch.softmax(queries @ keys.mT / queries.size(-1) ** 0.5, dim=-1)
        return self.output(merge_heads(weights @ values))

# %% right: heads_by_zeros
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.s = k // heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        k = x.shape[-1]
        own = (torch.arange(k) // self.s == torch.arange(k // self.s)[:, None]).to(x.dtype)[:, None, :]   # (h, 1, k)
        queries, keys, values = (layer(x)[:, None] for layer in (self.queries, self.keys, self.values))    # (B, 1, T, k)
        weights = ((queries * own) @ keys.transpose(-2, -1) / math.sqrt(self.s)).softmax(dim=-1)            # (B, h, T, T)
        return self.output((weights @ (values * own)).sum(dim=1))

# %% right: one_einsum_per_line
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.register_module("output", nn.Linear(k, k))
        for role in "queries keys values".split():
            setattr(self, role, nn.Linear(k, k, False))

    def forward(self, x):
        h = self.heads
        w = lambda role: getattr(self, role).weight.unflatten(0, (h, -1))                     # (h, s, k)
        queries = torch.einsum("bti,hsi->bhts", x, w("queries"))
        keys = torch.einsum("bti,hsi->bhts", x, w("keys")).mul(math.pow(x.shape[-1] / h, -0.5))
        values = torch.einsum("bti,hsi->bhts", x, w("values"))
        weights = torch.einsum("bhqs,bhks->bhqk", queries, keys).softmax(3)
        out = self.output.weight.unflatten(1, (h, -1))                                        # (k, h, s)
        return torch.einsum("bhqk,bhks,ohs->bqo", weights, values, out) + self.output.bias

# %% wrong: call_renamed
# wrong: mends the call instead of the layer (catalogue 30)
# says: missing: values.weight
-        self.values = nn.Linear(k, k, bias=False)
+        self.value = nn.Linear(k, k, bias=False)
-        values = split_heads(self.values(x), self.heads)
+        values = split_heads(self.value(x), self.heads)

# %% wrong: changes_input
# wrong: writes into its input (catalogue 41)
# says: an in-place operation
         mixed = weights @ values
+        x[:] = 0

# %% wrong: global_score
# wrong: an undefined name mended by a global of another cell (catalogue 42)
# says: your code raised
-class RepairedAttention(nn.Module):
+score = torch.zeros(2, 3, 5, 5)
+
+
+class RepairedAttention(nn.Module):
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        scores = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5

# %% wrong: merge_left
# wrong: merges without exchange (catalogue 23)
# says: without bringing the tokens back
# likely: the heads are merged without bringing the tokens back in front of the heads, so a row mixes several tokens
# next: exchange the axes of heads and tokens first, then join the last two with `reshape`
# earns: 1
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.reshape(B, T, k))

# %% wrong: misspelt_left
# wrong: the misspelt attribute is left
# says: missing: values.weight
# earns: 0
-        self.values = nn.Linear(k, k, bias=False)
+        self.value = nn.Linear(k, k, bias=False)

# %% wrong: no_output
# wrong: output projection lost (catalogue 27)
# says: the output projection is missing
# likely: the output projection is missing
# next: compare that step with *Pseudocode* in the card
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return (mixed.transpose(1, 2).reshape(B, T, k))

# %% wrong: no_root
# wrong: divides by s (catalogue 10)
# says: divided by s in total
# likely: the scores are divided by s in total: by s itself, or by its root twice
# next: divide by the root once; torch's `scaled_dot_product_attention` does it by itself
# earns: 3
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / (k // self.heads)

# %% wrong: scale_and_merge_left
# wrong: only the errors are mended (catalogue 11, 23)
# says: both silent faults are still there
# likely: it runs, but both silent faults are still there
# next: look at the two lines that you named in clinic 4.1
# earns: 1
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / k ** 0.5
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.reshape(B, T, k))

# %% wrong: scale_left
# wrong: scales by the model's dimension (catalogue 11)
# says: root of the model's dimension
# likely: the scores are divided by the root of the model's dimension, not of the head's
# next: divide by the root of s: a score sums s products
# earns: 3
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / k ** 0.5

# %% wrong: scaled_after
# wrong: scales after the softmax (catalogue 13)
# says: scaling comes after the softmax
# likely: the scaling comes after the softmax, so the weights do not sum to one
# next: scale the scores, before the softmax
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
-        weights = torch.softmax(score, dim=-1)
+        score = queries @ keys.transpose(-2, -1)
+        weights = torch.softmax(score, dim=-1) / (k // self.heads) ** 0.5

# %% wrong: split_and_merge_by_view
# wrong: split by view, too: the faults seem to cancel (catalogue 22, 23)
# says: cut by `view` alone
# likely: the heads are cut by `view` alone, so a head holds whole tokens, each head those of another piece of the sequence
# next: cut the last axis first, (B, T, h, s), then exchange the axes of tokens and heads
-        queries = split_heads(self.queries(x), self.heads)
-        keys = split_heads(self.keys(x), self.heads)
-        values = split_heads(self.values(x), self.heads)
+        queries = self.queries(x).view(B, self.heads, T, -1)
+        keys = self.keys(x).view(B, self.heads, T, -1)
+        values = self.values(x).view(B, self.heads, T, -1)
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.reshape(B, T, k))

# %% wrong: undefined_left
# wrong: the undefined name is left
# says: your code raised NameError
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        scores = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5

# %% wrong: view_after_transpose
# wrong: view on exchanged axes (catalogue 25)
# says: your code raised RuntimeError
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.transpose(1, 2).view(B, T, k))

# %% wrong: wrong_exchange
# wrong: exchanges the wrong axes in the merge (catalogue 23)
# says: the merge exchanges the wrong axes
# likely: the merge exchanges the wrong axes
# next: compare that step with *Pseudocode* in the card
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.transpose(2, 3).reshape(B, T, k))

# %% wrong: squeezes_short_heads
# wrong: squeeze() drops the components of heads of dimension 1 (catalogue 46)
# says: a product needs equal lengths
# earns: 1
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        queries = split_heads(self.queries(x), self.heads).squeeze(-1)
        keys = split_heads(self.keys(x), self.heads).squeeze(-1)
        values = split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        return self.output(merge_heads(torch.softmax(scores, dim=-1) @ values))

# %% wrong: remembers_the_last_batch
# wrong: remembers the output by shape
# says: the module keeps something from an earlier call, such as a
# earns: 1
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.known = {}
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        if x.shape not in self.known:
            queries = split_heads(self.queries(x), self.heads)
            keys = split_heads(self.keys(x), self.heads)
            values = split_heads(self.values(x), self.heads)
            scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
            self.known[x.shape] = self.output(merge_heads(torch.softmax(scores, dim=-1) @ values))
        return self.known[x.shape]

# %% wrong: both_spellings
# wrong: keeps the layer under both names (catalogue 30)
# says: not on the card: value.weight
# earns: 3
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.value = self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
        weights = torch.softmax(scores, dim=-1)
        mixed = weights @ values
        return self.output(merge_heads(mixed))

# %% wrong: quiet_biases
# wrong: biases that begin at zero (catalogue 30)
# says: has a bias unless you say
# earns: 3
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k)
        self.keys = nn.Linear(k, k)
        self.values = nn.Linear(k, k)
        self.output = nn.Linear(k, k)
        for layer in (self.queries, self.keys, self.values):
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        B, T, k = x.shape
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
        weights = torch.softmax(scores, dim=-1)
        return self.output(merge_heads(weights @ values))

# %% wrong: causal_while_training
# wrong: a causal mask in training mode
# says: something acts only in training mode, as `Dropout` does
# earns: 3
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=self.training)
        return self.output(merge_heads(mixed))

# %% wrong: bias_is_never_added
# wrong: the bias of the output is never added (catalogue 27)
# says: `output.bias` has no effect
# earns: 0
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)
        nn.init.zeros_(self.output.bias)

    def forward(self, x):
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores, dim=-1)
        return merge_heads(weights @ values) @ self.output.weight.T

# %% wrong: two_or_more_heads
# wrong: a single head is not scaled (catalogue 9)
# says: for one head, shape (2, 5, 6), float32
# earns: 3
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        if self.heads == 1:
            scores = self.queries(x) @ self.keys(x).transpose(-2, -1)
            return self.output(torch.softmax(scores, dim=-1) @ self.values(x))
        queries = split_heads(self.queries(x), self.heads)
        keys = split_heads(self.keys(x), self.heads)
        values = split_heads(self.values(x), self.heads)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        return self.output(merge_heads(torch.softmax(scores, dim=-1) @ values))

# %% wrong: over_100_tokens
# wrong: long sequences get another product
# says: for many tokens, shape (1, 130, 12), float32,
# earns: 3
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads

        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.queries, self.keys, self.values))
        s = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        w = (s if x.shape[1] < 100 else s.tril()).softmax(-1)
        y = self.output((w @ v).transpose(1, 2).flatten(2))
        return y

# %% wrong: root_of_the_heads_alone
# wrong: parentheses in another place (catalogue 11)
# says: your scores are divided by k/√heads
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / (k / self.heads ** 0.5)


# %% wrong: no_parentheses
# wrong: parentheses are missing (catalogue 11)
# says: your scores are divided by k·√heads
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / k / self.heads ** 0.5


# %% wrong: weights_times_merged_values
# wrong: merges the values before the weights mix them
# says: the values are merged before
# likely: the values are merged before the weights mix them, so each head mixes the values of all heads, and an axis is left over
# next: multiply weights and values first, head by head, then merge
-        mixed = weights @ values
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(weights @ values.transpose(1, 2).reshape(B, T, k))

# %% right: step_by_step
class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        h = self.heads
        s = k // h
        queries = self.queries(x).reshape(B, T, h, s).transpose(1, 2)
        keys = self.keys(x).reshape(B, T, h, s).transpose(1, 2)
        values = self.values(x).reshape(B, T, h, s).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / s ** 0.5
        weights = torch.softmax(scores, dim=3)
        mixed = weights @ values
        merged = mixed.transpose(1, 2).reshape(B, T, k)
        return self.output(merged)
