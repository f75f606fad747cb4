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
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.reshape(B, T, k))

# %% wrong: misspelt_left
# wrong: the misspelt attribute is left
# says: missing: values.weight
-        self.values = nn.Linear(k, k, bias=False)
+        self.value = nn.Linear(k, k, bias=False)

# %% wrong: no_output
# wrong: output projection lost (catalogue 27)
# says: no mistake that this check knows
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return (mixed.transpose(1, 2).reshape(B, T, k))

# %% wrong: no_root
# wrong: divides by s (catalogue 10)
# says: divided by s itself
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / (k // self.heads)

# %% wrong: scale_and_merge_left
# wrong: only the errors are mended (catalogue 11, 23)
# says: both silent faults are still there
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / k ** 0.5
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.reshape(B, T, k))

# %% wrong: scale_left
# wrong: scales by the model's width (catalogue 11)
# says: root of the model's width
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
+        score = queries @ keys.transpose(-2, -1) / k ** 0.5

# %% wrong: scaled_after
# wrong: scales after the softmax (catalogue 13)
# says: scaling comes after the softmax
-        score = queries @ keys.transpose(-2, -1) / (k // self.heads) ** 0.5
-        weights = torch.softmax(score, dim=-1)
+        score = queries @ keys.transpose(-2, -1)
+        weights = torch.softmax(score, dim=-1) / (k // self.heads) ** 0.5

# %% wrong: split_and_merge_by_view
# wrong: split by view, too: the faults seem to cancel (catalogue 22, 23)
# says: cut by `view` alone
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
# says: no mistake that this check knows
-        return self.output(mixed.transpose(1, 2).reshape(B, T, k))
+        return self.output(mixed.transpose(2, 3).reshape(B, T, k))
