# Right and wrong answers to `FeedForward`; authoring/README.md says how they are written.

# %% right: step_by_step
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(k, hidden)
        self.contract = nn.Linear(hidden, k)

    def forward(self, x):
        inner = self.expand(x)
        bent = torch.relu(inner)
        return self.contract(bent)

# %% right: layers_in_a_row
from collections import OrderedDict

class FeedForward(nn.Sequential):
    def __init__(self, k, hidden):
        super().__init__(OrderedDict(expand=nn.Linear(k, hidden), bend=nn.ReLU(), contract=nn.Linear(hidden, k)))

# %% right: dictionary
class FeedForward(nn.ModuleDict):
    def __init__(self, k, hidden):
        super().__init__({"contract": nn.Linear(hidden, k), "expand": nn.Linear(k, hidden)})

    def forward(self, x):
        return self["contract"](self["expand"](x).clamp(min=0))

# %% right: products
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand, self.contract = nn.Linear(k, hidden), nn.Linear(hidden, k)

    def forward(self, x):
        a = x @ self.expand.weight.T + self.expand.bias
        return (a * (a > 0)) @ self.contract.weight.T + self.contract.bias

# %% right: einsum
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(k, hidden)
        self.contract = nn.Linear(hidden, k)

    def forward(self, x):
        inner = torch.einsum("hk,btk->bth", self.expand.weight, x) + self.expand.bias
        inner = torch.where(inner < 0, torch.zeros_like(inner), inner)
        return torch.einsum("kh,bth->btk", self.contract.weight, inner) + self.contract.bias

# %% right: own_parameters
class Affine(nn.Module):
    """A matrix and an offset."""

    def __init__(self, entering, leaving):
        super().__init__()
        bound = 1 / math.sqrt(entering)
        self.weight = nn.Parameter(torch.empty(leaving, entering).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(leaving))

    def forward(self, x):
        return torch.matmul(x, self.weight.transpose(0, 1)).add(self.bias)


class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = Affine(k, hidden)
        self.contract = Affine(hidden, k)

    def forward(self, x):
        y = self.expand(x)
        return self.contract((y + y.abs()) / 2)

# %% right: token_by_token
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(k, hidden)
        self.contract = nn.Linear(hidden, k)

    def of_token(self, token):
        inner = [torch.dot(row, token) + offset for row, offset in zip(self.expand.weight, self.expand.bias)]
        inner = torch.stack([number if number > 0 else number * 0 for number in inner])
        return self.contract.weight.mv(inner) + self.contract.bias

    def forward(self, x):
        return torch.stack([torch.stack([self.of_token(token) for token in tokens]) for tokens in x])

# %% right: one_hidden_component_after_another
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        for name, sizes in {"expand": (k, hidden), "contract": (hidden, k)}.items():
            self.add_module(name, nn.Linear(*sizes))

    def forward(self, x):
        total = self.contract.bias.expand_as(x)
        for into, offset, out in zip(self.expand.weight, self.expand.bias, self.contract.weight.t()):
            total = total + torch.maximum((x * into).sum(-1, keepdim=True) + offset, torch.tensor(0.0)) * out
        return total

# %% right: rows_of_all_sequences
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(k, hidden)
        self.contract = nn.Linear(hidden, k)
        self.bend = nn.Threshold(0.0, 0.0)

    def forward(self, x):
        B, T, k = x.shape
        rows = x.reshape(B * T, k)
        rows = torch.addmm(self.expand.bias, rows, self.expand.weight.t())
        rows = torch.addmm(self.contract.bias, self.bend(rows), self.contract.weight.t())
        return rows.reshape(B, T, k)

# %% right: in_double
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(in_features=k, out_features=hidden, bias=True)
        self.contract = nn.Linear(in_features=hidden, out_features=k, bias=True)

    def forward(self, x):
        linear = lambda layer, y: nn.functional.linear(y, layer.weight.double(), layer.bias.double())
        return linear(self.contract, nn.functional.relu_(linear(self.expand, x.double()))).float()

# %% right: keeps_what_it_computed
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand = nn.Linear(k, hidden)
        self.contract = nn.Linear(hidden, k)

    def forward(self, x):
        self.inner = torch.relu(self.expand(x))
        self.last = self.contract(self.inner)
        return self.last

# %% wrong: no_bend
# wrong: two matrices in a row, which are one
# says: no activation
# likely: there is no activation between the two matrices, so together they are one
# next: apply `torch.relu` to the output of `expand`
-        bent = torch.relu(inner)
+        bent = inner

# %% wrong: bend_at_the_end
# wrong: bends what comes out, and nothing in between
# says: comes after `contract`
# likely: the activation comes after `contract` instead of before it
# next: apply it to the output of `expand`, and give the result to `contract`
-        bent = torch.relu(inner)
-        return self.contract(bent)
+        return torch.relu(self.contract(inner))

# %% wrong: bends_twice
# wrong: a second bend behind contract
# says: a second
# likely: there is a second activation, after `contract`
# next: use ReLU between the two matrices only: return the output of `contract` as it is
-        return self.contract(bent)
+        return torch.relu(self.contract(bent))

# %% wrong: bend_before
# wrong: bends the tokens, and nothing in between
# says: before
# likely: the activation comes before `expand`: it acts on the tokens themselves
# next: apply it to the output of `expand`
-        inner = self.expand(x)
-        bent = torch.relu(inner)
+        bent = self.expand(torch.relu(x))

# %% wrong: gelu
# wrong: GELU, as in GPT
# says: GELU
# likely: the activation is a GELU
# next: use ReLU here: `torch.relu`
-        bent = torch.relu(inner)
+        bent = nn.functional.gelu(inner)

# %% wrong: leaky
# wrong: a leaky ReLU lets a little through
# says: leaky
# likely: the activation is a leaky ReLU, which keeps a hundredth of each negative number
# next: set every negative number to 0: `torch.relu`
-        bent = torch.relu(inner)
+        bent = nn.functional.leaky_relu(inner)

# %% wrong: sigmoid
# wrong: a sigmoid
# says: sigmoid
# likely: the activation is a sigmoid
# next: set every negative number to 0 and keep the rest: `torch.relu`
-        bent = torch.relu(inner)
+        bent = torch.sigmoid(inner)

# %% wrong: tanh
# wrong: a hyperbolic tangent
# says: tangent
# likely: the activation is a hyperbolic tangent
# next: set every negative number to 0 and keep the rest: `torch.relu`
-        bent = torch.relu(inner)
+        bent = torch.tanh(inner)

# %% wrong: softmax
# wrong: a softmax over the hidden components
# says: softmax
# likely: a softmax is used as the activation
# next: set every negative number to 0 and keep the rest: `torch.relu`
-        bent = torch.relu(inner)
+        bent = torch.softmax(inner, dim=-1)

# %% wrong: absolute
# wrong: takes absolute values
# says: of the same size
# likely: negative numbers are turned into positive ones of the same size
# next: set every negative number to 0: `torch.relu`
-        bent = torch.relu(inner)
+        bent = inner.abs()

# %% wrong: keeps_the_negative
# wrong: min in the place of max
# says: negative
# likely: the activation keeps the negative numbers and sets the positive ones to 0
# next: take the larger of 0 and the number
-        bent = torch.relu(inner)
+        bent = inner.clamp(max=0)

# %% wrong: cut_at_one
# wrong: clamps to 0 … 1
# says: 1
# likely: every number above 1 becomes 1
# next: clip only below 0: `torch.relu`
-        bent = torch.relu(inner)
+        bent = inner.clamp(0, 1)

# %% wrong: cut_at_six
# wrong: ReLU6: right as long as numbers stay below 6
# says: above 6
# likely: every number above 6 becomes 6
# next: clip only below 0: `torch.relu`
-        bent = torch.relu(inner)
+        bent = nn.functional.relu6(inner)

# %% wrong: smooth
# wrong: softplus with a steep slope: nearly a ReLU
# says: softplus
# likely: the activation is a softplus: a smooth version of ReLU
# next: set every negative number to 0 and keep the rest: `torch.relu`
-        bent = torch.relu(inner)
+        bent = nn.functional.softplus(inner, beta=5)

# %% wrong: stream_added
# wrong: adds the tokens themselves, which is the block's affair
# says: added
# likely: the tokens themselves are added to the result
# next: return the output of `contract`: the block adds it to the stream
-        return self.contract(bent)
+        return x + self.contract(bent)

# %% wrong: normalised_first
# wrong: normalises the tokens, which is the block's affair
# says: normalised
# likely: the tokens are normalised before `expand`
# next: use the tokens as they are: the block normalises them
-        inner = self.expand(x)
+        inner = self.expand(nn.functional.layer_norm(x, x.shape[-1:]))

# %% wrong: expand_bias_left_out
# wrong: multiplies by the first matrix, and forgets its bias
# says: bias of `expand`
# likely: the bias of `expand` is not added
# next: call the layer, `self.expand(x)`: it multiplies and adds
-        inner = self.expand(x)
+        inner = x @ self.expand.weight.T

# %% wrong: contract_bias_left_out
# wrong: multiplies by the second matrix, and forgets its bias
# says: bias of `contract`
# likely: the bias of `contract` is not added
# next: call the layer, `self.contract(...)`: it multiplies and adds
-        return self.contract(bent)
+        return bent @ self.contract.weight.T

# %% wrong: bias_behind_the_bend
# wrong: adds the first bias after the bend
# says: after the activation
# likely: the bias of `expand` is added after the activation
# next: call `self.expand(x)`, which adds it, then apply ReLU
-        inner = self.expand(x)
-        bent = torch.relu(inner)
+        bent = torch.relu(x @ self.expand.weight.T) + self.expand.bias

# %% wrong: back_by_the_same_matrix
# wrong: goes back with the transposed first matrix
# says: transposed
# likely: the second product uses the matrix of `expand`, transposed
# next: use `contract`, which has its own matrix
-        return self.contract(bent)
+        return bent @ self.expand.weight + self.contract.bias

# %% wrong: without_biases
# wrong: layers without biases
# says: missing
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.expand = nn.Linear(k, hidden, bias=False)
+        self.contract = nn.Linear(hidden, k, bias=False)

# %% wrong: other_names
# wrong: the layers have other names than on the card
# says: missing
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.first = nn.Linear(k, hidden)
+        self.second = nn.Linear(hidden, k)
-        inner = self.expand(x)
+        inner = self.first(x)
-        return self.contract(bent)
+        return self.second(bent)

# %% wrong: in_a_row_without_names
# wrong: nn.Sequential numbers its layers
# says: missing
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.net = nn.Sequential(nn.Linear(k, hidden), nn.ReLU(), nn.Linear(hidden, k))
-        inner = self.expand(x)
-        bent = torch.relu(inner)
-        return self.contract(bent)
+        return self.net(x)

# %% wrong: in_a_list
# wrong: a plain list hides the layers from torch
# says: missing
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.layers = [nn.Linear(k, hidden), nn.Linear(hidden, k)]
-        inner = self.expand(x)
+        inner = self.layers[0](x)
-        return self.contract(bent)
+        return self.layers[1](bent)

# %% wrong: layers_of_each_call
# wrong: makes new layers in every call
# says: missing
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.k, self.hidden = k, hidden
-        inner = self.expand(x)
+        inner = nn.Linear(self.k, self.hidden)(x)
-        return self.contract(bent)
+        return nn.Linear(self.hidden, self.k)(bent)

# %% wrong: sizes_exchanged
# wrong: in and out of the layers exchanged
# says: the other way round
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.expand = nn.Linear(hidden, k)
+        self.contract = nn.Linear(k, hidden)

# %% wrong: four_times_k
# wrong: four times k hidden components, whatever was asked for
# says: expand
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.expand = nn.Linear(k, 4 * k)
+        self.contract = nn.Linear(4 * k, k)

# %% wrong: sizes_of_the_card
# wrong: the sizes of the card's example (catalogue 42)
# says: expand
-        self.expand = nn.Linear(k, hidden)
-        self.contract = nn.Linear(hidden, k)
+        self.expand = nn.Linear(4, 6)
+        self.contract = nn.Linear(6, 4)

# %% wrong: one_layer_more
# wrong: a norm that the card does not have
# says: not on the card
-        self.contract = nn.Linear(hidden, k)
+        self.contract = nn.Linear(hidden, k)
+        self.norm = nn.LayerNorm(k)

# %% wrong: dropout_in_training
# wrong: dropout in training mode (catalogue 49)
# says: something acts only in training mode
-        return self.contract(bent)
+        return self.contract(nn.functional.dropout(bent, 0.1, self.training))

# %% wrong: dropout_always
# wrong: dropout that never rests (catalogue 49)
# says: with `bent` alone, in place of `nn.functional.dropout(bent, 0.5)`
-        return self.contract(bent)
+        return self.contract(nn.functional.dropout(bent, 0.5))

# %% wrong: tokens_bent_in_place
# wrong: bends x itself (catalogue 41)
# says: is an in-place operation on the argument `x`
-        inner = self.expand(x)
+        inner = self.expand(x).clone()
+        x.relu_()

# %% wrong: weights_bent_in_place
# wrong: keeps the parameters positive (catalogue 41)
# says: plus an amount of its own
-        bent = torch.relu(inner)
+        bent = torch.relu(inner)
+        with torch.no_grad():
+            self.contract.bias.relu_()

# %% wrong: largest_of_all_tokens
# wrong: takes the largest over the tokens of a sequence, too
# says: largest
# likely: the largest number over all tokens of a sequence is used, so each token depends on the others
# next: compare each number only with 0: `torch.relu`
-        bent = torch.relu(inner)
+        bent = torch.relu(inner).amax(dim=1, keepdim=True).expand_as(inner)

# %% wrong: first_sequence_only
# wrong: uses x[0] for all (catalogue 44)
# says: shape
-        inner = self.expand(x)
+        inner = self.expand(x[0])

# %% wrong: squeezed
# wrong: drops axes of length 1 (catalogue 46)
# says: removes every axis of length 1
-        return self.contract(bent)
+        return self.contract(bent).squeeze()

# %% wrong: double
# wrong: returns float64 (catalogue 43)
# says: the type changed on the way
-        return self.contract(bent)
+        return self.contract(bent).double()

# %% wrong: numpy_array
# wrong: returns a NumPy array (catalogue 43)
# says: returns a NumPy array
-        return self.contract(bent)
+        return self.contract(bent).detach().numpy()

# %% wrong: nothing_returned
# wrong: no return (catalogue 43)
# says: returns None
-        return self.contract(bent)
+        self.contract(bent)

# %% wrong: remembers
# wrong: keeps the result of the first call for each shape
# says: the module keeps something from an earlier call
-        self.contract = nn.Linear(hidden, k)
+        self.contract = nn.Linear(hidden, k)
+        self.known = {}
-        return self.contract(bent)
+        return self.known.setdefault(x.shape, self.contract(bent))
