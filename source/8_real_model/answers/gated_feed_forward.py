# Right and wrong answers to `gated_feed_forward`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def gated_feed_forward(x, layer):
    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
    return hidden @ layer["down"].T

# %% right: step_by_step
def gated_feed_forward(x, layer):
    gates = x @ layer["gate"].T
    raised = x @ layer["up"].T
    switched = gates * torch.sigmoid(gates)
    products = switched * raised
    outputs = products @ layer["down"].T
    return outputs

# %% right: in_one_line
def gated_feed_forward(x, layer):
    return (nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)) @ layer["down"].T

# %% right: torchs_linear
def gated_feed_forward(x, layer):
    from torch.nn import functional as F

    return F.linear(F.silu(F.linear(x, layer["gate"])) * F.linear(x, layer["up"]), layer["down"])

# %% right: by_the_formula
def gated_feed_forward(x, layer):
    z = torch.matmul(x, layer["gate"].t())
    silu = z / (1 + torch.exp(-z))
    return torch.matmul(silu * torch.matmul(x, layer["up"].t()), layer["down"].t())

# %% right: einsum
def gated_feed_forward(x, layer):
    gate = torch.einsum("tk,hk->th", x, layer["gate"])
    up = torch.einsum("tk,hk->th", x, layer["up"])
    return torch.einsum("th,th,kh->tk", nn.SiLU()(gate), up, layer["down"])

# %% right: columns
def gated_feed_forward(x, layer):
    gate, up = layer["gate"] @ x.T, layer["up"] @ x.T            # (hidden, T)
    return (layer["down"] @ (gate * gate.sigmoid() * up)).mT

# %% right: both_at_once
def gated_feed_forward(x, layer):
    both = x @ torch.cat([layer["gate"], layer["up"]]).T
    gate, up = both.chunk(2, dim=-1)
    return nn.functional.silu(gate).mul(up) @ layer["down"].T

# %% right: token_by_token
def gated_feed_forward(x, layer):
    rows = []
    for token in x:
        gate, up = layer["gate"] @ token, layer["up"] @ token
        rows.append(layer["down"] @ (nn.functional.silu(gate) * up))
    return torch.stack(rows)

# %% right: component_by_component
def gated_feed_forward(x, layer):
    result = torch.zeros(len(x), len(layer["down"]))
    for gate, up, down in zip(layer["gate"], layer["up"], layer["down"].T):
        hidden = nn.functional.silu(x @ gate) * (x @ up)         # (T,)
        result += torch.outer(hidden, down)
    return result

# %% right: modules
def gated_feed_forward(x, layer):
    parts = {}
    for name in ("gate", "up", "down"):
        rows, columns = layer[name].shape
        parts[name] = nn.Linear(columns, rows, bias=False)
        parts[name].weight = nn.Parameter(layer[name], requires_grad=False)
    return parts["down"](nn.functional.silu(parts["gate"](x)) * parts["up"](x))

# %% right: numpy_and_back
def gated_feed_forward(x, layer):
    import numpy as np

    gate, up, down = (layer[name].numpy().astype(np.float64) for name in ("gate", "up", "down"))
    z = x.numpy() @ gate.T
    hidden = z * 0.5 * (1 + np.tanh(z / 2)) * (x.numpy() @ up.T)
    return torch.from_numpy(hidden @ down.T).float()

# %% wrong: exchanged
# wrong: the silu goes around the product with up
# says: exchanged
# likely: gate and up are exchanged: silu is taken of the product with `up`
# next: take silu of `x @ gateᵀ`, and leave `x @ upᵀ` as it is
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["up"].T) * (x @ layer["gate"].T)

# %% wrong: relu
# wrong: relu in place of silu
# says: relu
# likely: relu is used, not silu
# next: silu(z) is z / (1 + e^−z): `nn.functional.silu`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.relu(x @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: gelu
# wrong: gelu in place of silu
# says: gelu
# likely: gelu is used, not silu
# next: silu(z) is z / (1 + e^−z): `nn.functional.silu`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.gelu(x @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: sigmoid
# wrong: the sigmoid alone, as in GLU
# says: sigmoid
# likely: the gate is a sigmoid alone, 1 / (1 + e^−z)
# next: silu(z) is z times that: z / (1 + e^−z)
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = torch.sigmoid(x @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: tanh
# wrong: tanh in place of silu
# says: tanh
# likely: tanh is used, not silu
# next: silu(z) is z / (1 + e^−z): `nn.functional.silu`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = torch.tanh(x @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: plus_in_the_exponent
# wrong: e^z in place of e^-z
# says: e^z
# likely: the divisor is 1 + e^z: the minus in the exponent is missing
# next: silu(z) is z / (1 + e^−z)
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    hidden = z / (1 + torch.exp(z)) * (x @ layer["up"].T)

# %% wrong: sum
# wrong: adds the two (T, hidden) in place of multiplying them
# says: added
# likely: the two hidden vectors are added, not multiplied
# next: multiply them component by component, with `*`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["gate"].T) + x @ layer["up"].T

# %% wrong: silu_of_both
# wrong: silu around both
# says: silu of both
# likely: silu of both is taken: of the product with `gate` and of that with `up`
# next: take silu of `x @ gateᵀ` alone
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["gate"].T) * nn.functional.silu(x @ layer["up"].T)

# %% wrong: no_silu
# wrong: no activation at all
# says: no silu
# likely: there is no silu: the two products are multiplied as they are
# next: take silu of `x @ gateᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = (x @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: silu_of_the_product
# wrong: silu after the two are multiplied
# says: of their product
# likely: silu is taken of their product, after the two hidden vectors are multiplied
# next: take silu of `x @ gateᵀ` alone, then multiply
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu((x @ layer["gate"].T) * (x @ layer["up"].T))

# %% wrong: silu_at_the_end
# wrong: silu of what comes out, not of the gate
# says: of the outputs
# likely: silu is taken of the outputs, and not of the product with `gate`
# next: take silu of `x @ gateᵀ`; what `down` gives stays as it is
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
-    return hidden @ layer["down"].T
+    hidden = (x @ layer["gate"].T) * (x @ layer["up"].T)
+    return nn.functional.silu(hidden @ layer["down"].T)

# %% wrong: silu_twice
# wrong: nn.functional.silu of z * sigmoid(z)
# says: twice
# likely: silu is applied twice
# next: apply it once, to `x @ gateᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = nn.functional.silu(x @ layer["gate"].T)
+    hidden = z * torch.sigmoid(z) * (x @ layer["up"].T)

# %% wrong: softmax
# wrong: a softmax over the hidden components
# says: softmax
# likely: a softmax over the hidden components is taken, not silu
# next: silu(z) is z / (1 + e^−z), of each number by itself
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = torch.softmax(x @ layer["gate"].T, dim=-1) * (x @ layer["up"].T)

# %% wrong: without_up
# wrong: an ordinary feed-forward part, up is forgotten
# says: `up`
# likely: `up` is not used: nothing is multiplied by the product with it
# next: multiply silu of `x @ gateᵀ` by `x @ upᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["gate"].T)

# %% wrong: without_gate
# wrong: gate is forgotten
# says: `gate`
# likely: `gate` is not used: there is silu of the product with `up`, and nothing to multiply it by
# next: multiply silu of `x @ gateᵀ` by `x @ upᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["up"].T)

# %% wrong: gate_for_up
# wrong: gate twice
# says: twice
# likely: `gate` is used twice, and `up` not at all
# next: multiply silu of `x @ gateᵀ` by `x @ upᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["gate"].T)

# %% wrong: not_transposed
# wrong: no matrix is transposed: fails unless k = hidden
# says: raised RuntimeError
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
-    return hidden @ layer["down"].T
+    hidden = nn.functional.silu(x @ layer["gate"]) * (x @ layer["up"])
+    return hidden @ layer["down"]

# %% wrong: transposed_where_needed
# wrong: transposes a matrix only when shapes demand it, so square ones stay as they are
# says: as many hidden components as k
def gated_feed_forward(x, layer):
    def times(x, matrix):
        return x @ matrix if x.shape[-1] == matrix.shape[0] else x @ matrix.T

    return times(nn.functional.silu(times(x, layer["gate"])) * times(x, layer["up"]), layer["down"])

# %% wrong: by_order
# wrong: takes the matrices by their order in the dict
# says: order
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
-    return hidden @ layer["down"].T
+    gate, up, down = layer.values()
+    hidden = nn.functional.silu(x @ gate.T) * (x @ up.T)
+    return hidden @ down.T

# %% wrong: matrix_product
# wrong: a matrix product in place of the product by components
# says: raised RuntimeError
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.silu(x @ layer["gate"].T) @ (x @ layer["up"].T)

# %% wrong: without_down
# wrong: returns the hidden components
# says: shape (2, 4)
-    return hidden @ layer["down"].T
+    return hidden

# %% wrong: plus_x
# wrong: adds the stream, which the block does
# says: added
# likely: x is added to the result
# next: return the product with `downᵀ` alone: the block adds it to the stream
-    return hidden @ layer["down"].T
+    return x + hidden @ layer["down"].T

# %% wrong: columns_returned
# wrong: tokens in columns
# says: transposed
-    return hidden @ layer["down"].T
+    return layer["down"] @ hidden.T

# %% wrong: powers_that_overflow
# wrong: e^z / (1 + e^z), which is inf / inf for large z (catalogue 7)
# says: write the sigmoid as 1 / (1 + e^−z)
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    hidden = z * torch.exp(z) / (1 + torch.exp(z)) * (x @ layer["up"].T)

# %% wrong: named_power_that_overflows
# wrong: the same with a name for e^z: no softmax, so there is nothing to subtract
# says: write the sigmoid as 1 / (1 + e^−z)
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    e = torch.exp(z)
+    hidden = z * e / (1 + e) * (x @ layer["up"].T)

# %% wrong: half_powers_that_overflow
# wrong: e^(z/2) / (e^(z/2) + e^(-z/2)), which is inf / inf for large z
# says: which form of the formula has no larger exponential?
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    more, less = torch.exp(z / 2), torch.exp(-z / 2)
+    hidden = z * more / (more + less) * (x @ layer["up"].T)

# %% wrong: always_double
# wrong: float32 comes back as float64 (catalogue 43)
# says: the type changed on the way
-    return hidden @ layer["down"].T
+    return hidden.double() @ layer["down"].T.double()

# %% wrong: multiplied_by_the_divisor
# wrong: z times (1 + e^-z) in place of z over it
# says: z · (1 + e^−z)
# likely: silu is computed as z · (1 + e^−z), which is the same as z / sigmoid(z)
# next: silu(z) is z / (1 + e^−z), or z * sigmoid(z)
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    hidden = z * (1 + torch.exp(-z)) * (x @ layer["up"].T)

# %% wrong: parentheses_missing
# wrong: z / 1 + e^-z: the divisor has no parentheses
# says: parentheses
# likely: the divisor 1 + e^−z has no parentheses: `/ 1 + exp(-z)` divides by 1 and adds e^−z
# next: write `z / (1 + torch.exp(-z))`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    z = x @ layer["gate"].T
+    silu = z / 1 + torch.exp(-z)
+    hidden = silu * (x @ layer["up"].T)

# %% wrong: silu_of_x
# wrong: silu of the tokens, before they are multiplied by gate
# says: silu of x
# likely: silu of x is taken, before the product with `gate`
# next: take silu of the product, `x @ gateᵀ`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = (nn.functional.silu(x) @ layer["gate"].T) * (x @ layer["up"].T)

# %% wrong: gelu_by_tanh
# wrong: the approximate gelu, which other gated parts use
# says: gelu
# likely: gelu is used, in its form with tanh, not silu
# next: silu(z) is z / (1 + e^−z): `nn.functional.silu`
-    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
+    hidden = nn.functional.gelu(x @ layer["gate"].T, approximate="tanh") * (x @ layer["up"].T)
