# Right and wrong answers to `SelfAttention`; authoring/README.md says how they are written.

# %% right: library_call
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)

# %% right: bmm
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.tovalues = nn.Linear(d_in, d_v, bias=False)
        self.tokeys = nn.Linear(d_in, d_k, bias=False)
        self.toqueries = nn.Linear(d_in, d_k, bias=False)
        self.d_k = d_k

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        w = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=2)
        return torch.bmm(w, v)

# %% right: einsum
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        for name, size in dict(toqueries=d_k, tokeys=d_k, tovalues=d_v).items():
            setattr(self, name, torch.nn.Linear(d_in, size, bias=False))

    def forward(self, x):
        weights = torch.einsum("bik,bjk->bij", self.toqueries(x), self.tokeys(x)).softmax(-1)
        return torch.einsum("bij,bjv->biv", weights, self.tovalues(x))

# %% right: helper_class
class Projection(torch.nn.Linear):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, bias=False)


class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = Projection(d_in, d_k), Projection(d_in, d_k), Projection(d_in, d_v)
        self.softmax = torch.nn.Softmax(dim=1)

    def forward(self, x):
        columns = self.softmax(self.tokeys(x) @ self.toqueries(x).permute(0, 2, 1))  # (B, T key, T query)
        return columns.permute(0, 2, 1).contiguous() @ self.tovalues(x)

# %% right: sequence_by_sequence
class SelfAttention(torch.nn.Module):
    """Eine Folge nach der anderen."""

    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        print("forward", tuple(x.shape))
        return torch.stack([
            torch.softmax(self.toqueries(one) @ self.tokeys(one).T, dim=1) @ self.tovalues(one) for one in x
        ])

# %% right: three_layers
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return torch.softmax(scores, dim=-1) @ self.tovalues(x)

# %% right: weights_by_hand
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super(SelfAttention, self).__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        for layer in self.children():
            torch.nn.init.xavier_uniform_(layer.weight)

    def forward(self, tokens):
        queries = tokens @ self.toqueries.weight.T
        keys = tokens @ self.tokeys.weight.T
        scores = queries @ keys.mT
        e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        return (e / e.sum(dim=-1, keepdim=True)) @ (tokens @ self.tovalues.weight.T)

# %% right: one_fused_product
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.sizes = [d_k, d_k, d_v]
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        together = torch.cat([self.toqueries.weight, self.tokeys.weight, self.tovalues.weight])
        queries, keys, values = torch.nn.functional.linear(x, together).split(self.sizes, dim=-1)
        scores = torch.bmm(queries, keys.transpose(1, 2))
        e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        return torch.bmm(e, values) / e.sum(dim=-1, keepdim=True)

# %% right: keeps_weights_to_be_looked_at
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        self.seen = {}

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        self.seen["weights"] = torch.softmax(q @ k.transpose(1, 2), dim=-1)
        return self.seen["weights"] @ v

# %% wrong: batch_as_one_sequence
# wrong: tokens look at the other sequences (catalogue 45)
# says: one long sequence
# likely: the batch is treated as one long sequence, so tokens look at other sequences
# next: keep three axes and swap the last two: `keys.transpose(-2, -1)`
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        B, T, d_in = x.shape
+        x = x.reshape(B * T, d_in)
+        return (torch.softmax(self.toqueries(x) @ self.tokeys(x).T, dim=-1) @ self.tovalues(x)).reshape(B, T, -1)

# %% wrong: changes_input
# wrong: centres x in place (catalogue 41)
# says: in-place operation
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        y = torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
+        x -= x.mean()
+        return y

# %% wrong: extra_layer
# wrong: an output projection nobody asked for (catalogue 30)
# says: not on the card: out.weight
         self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
+        self.out = torch.nn.Linear(d_v, d_v, bias=False)
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return self.out(torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x))

# %% wrong: feature_attention
# wrong: components with components (catalogue 17)
# says: components with components
# likely: the product sums over the tokens and compares components with components
# next: let the axes of length d_k meet, so that the scores are tokens by tokens
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        scores = self.toqueries(x).transpose(-2, -1) @ self.tokeys(x)
+        return self.tovalues(x) @ torch.softmax(scores, dim=-1)

# %% wrong: first_sequence_only
# wrong: uses the first sequence for all (catalogue 44)
# says: the first sequence is used for all
# likely: the first sequence is used for all
# next: let `@` handle the batch: do not index it
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        one = x[0]
+        y = torch.softmax(self.toqueries(one) @ self.tokeys(one).T, dim=-1) @ self.tovalues(one)
+        return y.expand(len(x), *y.shape)

# %% wrong: fixed_sizes
# wrong: ignores the constructor's sizes (catalogue 42)
# says: both numbers come from the constructor's arguments
-        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
+        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(4, 3, bias=False) for _ in range(3))
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: maximum_of_everything
# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
# earns: 3
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
+        e = torch.exp(scores - scores.max())
+        return e / e.sum(dim=-1, keepdim=True) @ self.tovalues(x)

# %% wrong: no_return
# wrong: forward has no return (catalogue 43)
# says: your function returns None
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        y = torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: no_super
# wrong: forgets super().__init__()
# says: raised AttributeError
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))

    def forward(self, x):
        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: other_names
# wrong: the layers have other names
# says: missing: tokeys.weight, toqueries.weight, tovalues.weight
-        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
+        self.to_q, self.to_k, self.to_v = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.to_q(x) @ self.to_k(x).transpose(-2, -1), dim=-1) @ self.to_v(x)

# %% wrong: output_transposed
# wrong: outputs in columns (catalogue 19)
# says: the result is transposed
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        y = torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)
+        return y.transpose(-2, -1)

# %% wrong: over_all_keys_of_the_batch
# wrong: one softmax for a whole sequence (catalogue 2)
# says: the softmax runs over all entries
# likely: the softmax runs over all entries instead of one query at a time
# next: give the sum the axis of the keys, and keep that axis
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
+        return torch.softmax(scores.flatten(1), dim=1).view_as(scores) @ self.tovalues(x)

# %% wrong: over_batch
# wrong: softmax over the batch (catalogue 3)
# says: the softmax runs over the batch
# likely: the softmax runs over the batch, so sequences that have nothing to do with each other are mixed
# next: use the last axis, `dim=-1`: it indexes the keys
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=0) @ self.tovalues(x)

# %% wrong: over_queries
# wrong: softmax over dim=1, the queries (catalogue 1)
# says: you normalised over queries
# likely: you normalised over queries: the softmax runs down the columns
# next: softmax along the last axis, then `weights @ values`: each row is one query
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=1) @ self.tovalues(x)

# %% wrong: projections_not_applied
# wrong: the layers exist and are not used (catalogue 15)
# says: shape (2, 3, 4)
# likely: the three layers are not used: attention gets x itself
# next: call the layers: `self.toqueries(x)`, `self.tokeys(x)`, `self.tovalues(x)`
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(x @ x.transpose(-2, -1), dim=-1) @ x

# %% wrong: reverses_all_axes
# wrong: permutes the batch away (catalogue 44)
# says: raised RuntimeError
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).permute(2, 1, 0), dim=-1) @ self.tovalues(x)

# %% wrong: scaled
# wrong: divides by sqrt(d_k) (catalogue 14)
# says: the scores were scaled
# likely: the scores were scaled, but this exercise has no scaling; it is the subject of lesson 3
# next: use the plain dot products as scores
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x))

# %% wrong: sizes_exchanged
# wrong: Linear(d_k, d_in): the sizes changed places (catalogue 18)
# says: the other way round
-        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
+        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(n, d_in, bias=False) for n in (d_k, d_k, d_v))
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
# earns: 1
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return (torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)).squeeze()

# %% wrong: swapped_roles
# wrong: keys ask, queries are asked (catalogue 16)
# says: query and key have swapped roles
# likely: query and key have swapped roles: the scores are transposed before the softmax
# next: check which factor belongs to the token that asks: it gives its query
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.tokeys(x) @ self.toqueries(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: values_from_keys
# wrong: the keys take the place of the values (catalogue 15)
# says: yours is
# likely: the values come from the key layer
# next: call `self.tovalues(x)` for the values
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        queries, keys, values = self.toqueries(x), self.tokeys(x), self.tokeys(x)
+        return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1) @ values

# %% wrong: weights_transposed
# wrong: transposed weights (catalogue 20)
# says: the weights are those of the card, transposed
# likely: the weights are those of the card, transposed: rows and columns are swapped before the last product
# next: softmax along the last axis, then `weights @ values` without a transpose: row i of the weights belongs to query i
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        weights = torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1)
+        return weights.transpose(-2, -1) @ self.tovalues(x)

# %% wrong: with_bias
# wrong: the layers have a bias
# says: `nn.Linear` has a bias unless you say `bias=False`
# earns: 3
-        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
+        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n) for n in (d_k, d_k, d_v))
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        return torch.softmax(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1), dim=-1) @ self.tovalues(x)

# %% wrong: without_exponential
# wrong: divides the scores by their sum (catalogue 4)
# says: yours is
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
+        return scores / (scores.sum(dim=-1, keepdim=True) + 1e-6) @ self.tovalues(x)

# %% wrong: without_maximum
# wrong: exponentials overflow for long vectors (catalogue 7)
# says: nan or inf
# earns: 3
-        return torch.nn.functional.scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), scale=1.0)
+        e = torch.exp(self.toqueries(x) @ self.tokeys(x).transpose(-2, -1))
+        return e / e.sum(dim=-1, keepdim=True) @ self.tovalues(x)

# %% wrong: own_linear
# wrong: a class of its own with the same weight and the same product, which is no torch.nn.Linear
# says: the layer is of another class than the card says
# earns: 3
class Projection(torch.nn.Module):
    def __init__(self, d_from, d_to):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(d_to, d_from) / d_from ** 0.5)

    def forward(self, x):
        return x @ self.weight.T


class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = Projection(d_in, d_k)
        self.tokeys = Projection(d_in, d_k)
        self.tovalues = Projection(d_in, d_v)

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return torch.softmax(scores, dim=-1) @ self.tovalues(x)

# %% wrong: layers_by_size
# wrong: layers are kept by their sizes, so two modules of the same sizes share their matrices: training or loading one changes the other
# says: two modules share their layers, or something that is computed from
# earns: 2
kept_layers = {}


def kept_linear(role, a, b):
    if (role, a, b) not in kept_layers:
        kept_layers[role, a, b] = torch.nn.Linear(a, b, bias=False)
    return kept_layers[role, a, b]


class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = kept_linear("query", d_in, d_k)
        self.tokeys = kept_linear("key", d_in, d_k)
        self.tovalues = kept_linear("value", d_in, d_v)

    def forward(self, x):
        scores = self.toqueries(x) @ self.tokeys(x).transpose(-2, -1)
        return torch.softmax(scores, dim=-1) @ self.tovalues(x)

# %% wrong: shift_by_the_minimum from bmm
# wrong: the smallest score of each row is taken off, not the largest, so distant scores overflow
# says: entries are nan or inf
# earns: 1
-        w = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=2)
+        scores = torch.bmm(q, k.transpose(1, 2))
+        e = torch.exp(scores - scores.amin(dim=2, keepdim=True))
+        w = e / e.sum(dim=2, keepdim=True)

# %% wrong: dropout_in_training from bmm
# wrong: drops weights at random while the module is in training mode, which it is from the start
# says: only in training mode
-        w = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=2)
+        w = F.dropout(F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=2), 0.5, self.training)

# %% right: step_by_step
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        queries = self.toqueries(x)
        keys = self.tokeys(x)
        values = self.tovalues(x)
        scores = queries @ keys.transpose(1, 2)
        weights = torch.softmax(scores, dim=2)
        outputs = weights @ values
        return outputs

# %% right: own_softmax
class SelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
        queries = self.toqueries(x)
        keys = self.tokeys(x)
        values = self.tovalues(x)
        scores = queries @ keys.transpose(1, 2)
        largest = scores.amax(dim=2, keepdim=True)
        powers = torch.exp(scores - largest)
        totals = powers.sum(dim=2, keepdim=True)
        weights = powers / totals
        outputs = weights @ values
        return outputs
