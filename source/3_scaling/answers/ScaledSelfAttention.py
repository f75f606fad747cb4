# Right and wrong answers to `ScaledSelfAttention`; authoring/README.md says how they are written.

# %% right: methods
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        for layer in (self.toqueries, self.tokeys, self.tovalues):
            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)

    def weights(self, x):
        queries, keys = self.toqueries(x), self.tokeys(x)
        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)

    def forward(self, x):
        return self.weights(x) @ self.tovalues(x)

# %% right: exercise_4
import math

import torch.nn as nn


class ScaledSelfAttention(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.tovalues = nn.Linear(d_in, d_v, bias=False)
        self.tokeys = nn.Linear(d_in, d_k, bias=False)
        self.toqueries = nn.Linear(d_in, d_k, bias=False)
        self.apply(self.start)

    @staticmethod
    def start(layer):
        if isinstance(layer, nn.Linear):
            nn.init.normal_(layer.weight, mean=0.0, std=1 / math.sqrt(layer.in_features))

    def weights(self, x):
        T = x.shape[1]
        return scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), torch.eye(T).expand(len(x), T, T))

    def forward(self, x):
        return scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x))

# %% right: uniform_start
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        for name, size in dict(toqueries=d_k, tokeys=d_k, tovalues=d_v).items():
            layer = torch.nn.Linear(d_in, size, bias=False)
            bound = (3 / d_in) ** 0.5
            torch.nn.init.uniform_(layer.weight, -bound, bound)
            setattr(self, name, layer)

    def weights(self, x):
        return torch.einsum("bik,bjk->bij", self.toqueries(x), self.tokeys(x)).div(self.tokeys.out_features ** 0.5).softmax(-1)

    def forward(self, x):
        return torch.einsum("bij,bjv->biv", self.weights(x), self.tovalues(x))

# %% right: drawn_by_hand
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.root = d_k ** 0.5
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        with torch.no_grad():
            for layer in self.children():
                layer.weight.copy_(torch.randn(layer.weight.shape) / d_in ** 0.5)

    def weights(self, x):
        scores = (self.toqueries(x) / self.root).bmm(self.tokeys(x).permute(0, 2, 1))
        e = (scores - scores.amax(-1, keepdim=True)).exp()
        return e / e.sum(-1, keepdim=True)

    def forward(self, x):
        return self.weights(x).bmm(self.tovalues(x))

# %% right: times_root_three
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (torch.nn.Linear(d_in, n, bias=False) for n in (d_k, d_k, d_v))
        for parameter in self.parameters():
            parameter.data *= 3 ** 0.5  # nn.Linear starts with 1/√(3 d_in)

    def weights(self, x):
        fourth = self.toqueries.weight.shape[0] ** 0.25
        return ((self.toqueries(x) / fourth) @ (self.tokeys(x) / fourth).mT).softmax(dim=2)

    def forward(self, x):
        return self.weights(x) @ self.tovalues(x)

# %% right: kept_weights
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.d_k = d_k
        self.toqueries = self.new(d_in, d_k)
        self.tokeys = self.new(d_in, d_k)
        self.tovalues = self.new(d_in, d_v)

    def new(self, d_in, d_out):
        layer = torch.nn.Linear(d_in, d_out, bias=False)
        layer.weight = torch.nn.Parameter(torch.normal(0.0, d_in ** -0.5, (d_out, d_in)))
        return layer

    def weights(self, x):
        columns = torch.softmax(self.tokeys(x) @ self.toqueries(x).mT / self.d_k ** 0.5, dim=1)
        return columns.transpose(1, 2)

    def forward(self, x):
        w = self.weights(x)
        return w.contiguous() @ self.tovalues(x)

# %% right: step_by_step
-        queries, keys = self.toqueries(x), self.tokeys(x)
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        queries = self.toqueries(x)
+        keys = self.tokeys(x)
+        scores = queries @ keys.transpose(-2, -1)
+        scores = scores / keys.shape[-1] ** 0.5
+        weights = torch.softmax(scores, dim=-1)
+        return weights

-        return self.weights(x) @ self.tovalues(x)
+        weights = self.weights(x)
+        values = self.tovalues(x)
+        outputs = weights @ values
+        return outputs

# %% right: difference_to_logsumexp
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        for name, size in dict(toqueries=d_k, tokeys=d_k, tovalues=d_v).items():
            layer = torch.nn.Linear(d_in, size, bias=False)
            with torch.no_grad():
                layer.weight.copy_(torch.randn(size, d_in) * d_in**-0.5)
            setattr(self, name, layer)

    def weights(self, x):
        queries = self.toqueries(x)
        scores = torch.einsum("btd,bsd->bts", queries * queries.shape[-1] ** -0.5, self.tokeys(x))
        return (scores - scores.logsumexp(-1, keepdim=True)).exp()

    def forward(self, x):
        return torch.einsum("bts,bsv->btv", self.weights(x), self.tovalues(x))

# %% right: keeps_weights_to_be_looked_at
class ScaledSelfAttention(torch.nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
        for layer in (self.toqueries, self.tokeys, self.tovalues):
            torch.nn.init.normal_(layer.weight, mean=0.0, std=d_in ** -0.5)
        self.seen = []

    def weights(self, x):
        q, k = self.toqueries(x), self.tokeys(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        w = torch.softmax(scores, dim=-1)
        self.seen.append(w)
        return w

    def forward(self, x):
        return self.weights(x) @ self.tovalues(x)

# %% wrong: not_scaled
# wrong: forgets the scaling (catalogue 9)
# says: not scaled
# earns: 2
# likely: the scores are not scaled
# next: divide the scores by the root of d_k before the softmax
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)

# %% wrong: by_d
# wrong: divides by d_k (catalogue 10)
# says: d_k itself
# earns: 2
# likely: the scores are divided by d_k itself, not by its root
# next: divide by `keys.shape[-1] ** 0.5`
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1], dim=-1)

# %% wrong: by_d_in
# wrong: divides by the root of the tokens' dimension (catalogue 12)
# says: the root of d_in
# earns: 2
# likely: the scores are divided by the root of d_in, the dimension of the tokens
# next: divide by the root of d_k: the length of the vectors whose products are the scores
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1) / x.shape[-1] ** 0.5, dim=-1)

# %% wrong: after_softmax
# wrong: divides the weights (catalogue 13)
# says: after the softmax
# earns: 1
# likely: the weights are divided after the softmax, so they no longer sum to one
# next: divide the scores, before the softmax
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1) / keys.shape[-1] ** 0.5

# %% wrong: over_queries
# wrong: the softmax runs over the queries (catalogue 1)
# says: over the queries
# earns: 1
# likely: the softmax runs over the queries, so each column sums to 1
# next: take it over the last axis, the keys: `dim=-1`
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=1)

# %% wrong: start_of_the_layer
# wrong: leaves the start of nn.Linear
# says: that of numbers drawn evenly
# earns: 3
-        for layer in (self.toqueries, self.tokeys, self.tovalues):
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)

# %% wrong: values_not_drawn
# wrong: draws the weights of queries and keys only
# says: `tovalues.weight`
# earns: 3
-        for layer in (self.toqueries, self.tokeys, self.tovalues):
+        for layer in (self.toqueries, self.tokeys):

# %% wrong: variance_as_deviation
# wrong: gives the variance as std
# says: `std` wants its root
# earns: 3
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
+            torch.nn.init.normal_(layer.weight, std=1 / d_in)

# %% wrong: deviation_of_one
# wrong: draws with deviation 1
# says: 1, as where `std` is not given
# earns: 3
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
+            torch.nn.init.normal_(layer.weight)

# %% wrong: by_outputs
# wrong: the deviation comes from the layer's outputs
# says: the length of the *input*
# earns: 3
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
+            torch.nn.init.normal_(layer.weight, std=layer.out_features ** -0.5)

# %% wrong: xavier
# wrong: starts as Xavier does
# says: that of Xavier
# earns: 3
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
+            torch.nn.init.xavier_uniform_(layer.weight)

# %% wrong: fixed_deviation
# wrong: a deviation that fits one size only (catalogue 42)
# says: have the standard deviation 0.02
# earns: 3
-            torch.nn.init.normal_(layer.weight, std=d_in ** -0.5)
+            torch.nn.init.normal_(layer.weight, std=0.02)

# %% wrong: own_seed
# wrong: sets a seed in the constructor
# says: sets a seed
# earns: 3
-        for layer in (self.toqueries, self.tokeys, self.tovalues):
+        torch.manual_seed(0)
+        for layer in (self.toqueries, self.tokeys, self.tovalues):

# %% wrong: weights_are_scores
# wrong: the method returns the scaled scores
# says: do not sum to 1
# earns: 3
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
 
-        return self.weights(x) @ self.tovalues(x)
+        return torch.softmax(self.weights(x), dim=-1) @ self.tovalues(x)

# %% wrong: weights_of_one_sequence
# wrong: the method returns the weights of the first sequence only (catalogue 44)
# says: shape (3, 3)
# earns: 3
 
-        return self.weights(x) @ self.tovalues(x)
+        return scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x))
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
+        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)[0]

# %% wrong: no_method
# wrong: has no method `weights`
# says: no attribute 'weights'
# earns: 3
-    def weights(self, x):
-        queries, keys = self.toqueries(x), self.tokeys(x)
-        return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)

-        return self.weights(x) @ self.tovalues(x)
+        return scaled_dot_product_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x))

# %% wrong: with_bias
# wrong: the layers have a bias
# says: bias
-        self.toqueries = torch.nn.Linear(d_in, d_k, bias=False)
-        self.tokeys = torch.nn.Linear(d_in, d_k, bias=False)
-        self.tovalues = torch.nn.Linear(d_in, d_v, bias=False)
+        self.toqueries = torch.nn.Linear(d_in, d_k)
+        self.tokeys = torch.nn.Linear(d_in, d_k)
+        self.tovalues = torch.nn.Linear(d_in, d_v)

# %% wrong: weights_for_good
# wrong: computes the weights without a gradient
# says: gradient
-        return self.weights(x) @ self.tovalues(x)
+        with torch.no_grad():
+            weights = self.weights(x)
+        return weights @ self.tovalues(x)

# %% wrong: dropout_in_training
# wrong: drops weights while it trains
# says: only in training mode
# earns: 2
-        return self.weights(x) @ self.tovalues(x)
+        return torch.nn.functional.dropout(self.weights(x), 0.2, self.training) @ self.tovalues(x)
