# Right and wrong answers to `tied_logits`; authoring/README.md says how they are written.

# %% right: step_by_step
def tied_logits(model, x):
    normed = rms_norm(x, model["norm"])
    logits = normed @ model["embedding"].T
    return logits

# %% right: as_in_the_lesson
def tied_logits(model, x):
    return rms_norm(x, model["norm"]) @ model["embedding"].T         # (…, V)

# %% right: as_a_linear_map
def tied_logits(model, x):
    return nn.functional.linear(rms_norm(x, model["norm"]), model["embedding"])

# %% right: einsum
def tied_logits(model, x):
    return torch.einsum("...k,vk->...v", rms_norm(x, weight=model["norm"]), model["embedding"])

# %% right: own_norm
def tied_logits(model, x):
    E, w = model["embedding"], model["norm"]
    root = torch.sqrt(torch.mean(x ** 2, dim=-1, keepdim=True) + 1e-5)
    return torch.matmul(x / root * w, E.transpose(0, 1))

# %% right: torchs_norm
def tied_logits(model, x):
    k = x.shape[-1]
    y = nn.functional.rms_norm(x, (k,), model["norm"], 1e-5)
    return (y.reshape(-1, k) @ model["embedding"].T).reshape(*x.shape[:-1], -1)

# %% right: weight_in_the_embedding
def tied_logits(model, x):
    root = (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
    return x @ (model["embedding"] * model["norm"]).T / root

# %% right: token_by_token
def tied_logits(model, x):
    normed = rms_norm(x, model["norm"])
    return torch.stack([(normed * row).sum(-1) for row in model["embedding"]], dim=-1)

# %% right: from_the_left
def tied_logits(model, x):
    normed = rms_norm(x, model["norm"]).unsqueeze(-1)
    return (model["embedding"] @ normed).squeeze(-1)

# %% wrong: norm_forgotten
# wrong: reads the stream without its norm
# says: not normed
# likely: the stream is not normed
# next: norm it with the model's last weight: `rms_norm(x, model["norm"])`
-    normed = rms_norm(x, model["norm"])
+    normed = x

# %% wrong: weight_forgotten
# wrong: norms without the weight
# says: without the weight
# likely: the stream is normed without the weight, as if `model["norm"]` were all ones
# next: give the norm the weight `model["norm"]`
-    normed = rms_norm(x, model["norm"])
+    normed = rms_norm(x, torch.ones(x.shape[-1]))

# %% wrong: weight_alone
# wrong: multiplies by the weight without the norm
# says: multiplied by the weight
# likely: the stream is multiplied by the weight `model["norm"]`, and not divided by its root
# next: norm it: `rms_norm(x, model["norm"])`
-    normed = rms_norm(x, model["norm"])
+    normed = x * model["norm"]

# %% wrong: not_transposed
# wrong: multiplies by the embedding as it is, which fits only where V = k
# says: the transpose of `model["embedding"]` is missing
-    logits = normed @ model["embedding"].T
+    logits = normed @ model["embedding"]

# %% wrong: transposed_where_it_fails
# wrong: transposes only where the product would fail
# says: in every case
-    logits = normed @ model["embedding"].T
+    E = model["embedding"]
+    logits = normed @ E if E.shape[0] == x.shape[-1] else normed @ E.T

# %% wrong: softmax_on_top
# wrong: returns probabilities
# says: with `logits` alone
-    return logits
+    return torch.softmax(logits, dim=-1)

# %% wrong: log_softmax_on_top
# wrong: returns logarithms of probabilities
# says: log
# likely: a log-softmax is on top
# next: return the products themselves
-    return logits
+    return torch.log_softmax(logits, dim=-1)

# %% wrong: norm_of_a_layer
# wrong: takes the norm of the layer in place of the model's
# says: `norm_1`
# likely: the weight is `norm_1` of a layer
# next: take the model's own weight, `model["norm"]`
-    normed = rms_norm(x, model["norm"])
+    normed = rms_norm(x, model["layers"][-1]["norm_1"])

# %% wrong: second_norm_of_a_layer
# wrong: takes the last layer's second norm
# says: `norm_2`
# likely: the weight is `norm_2` of a layer
# next: take the model's own weight, `model["norm"]`
-    normed = rms_norm(x, model["norm"])
+    normed = rms_norm(x, model["layers"][-1]["norm_2"])

# %% wrong: divided_by_root_k
# wrong: divides by the root of k, as scores are
# says: the root of k
# likely: the logits are divided by the root of k, as they also are when a norm has the sum of the squares in place of their mean
# next: norm with your `rms_norm`, and return the products as they are
-    return logits
+    return logits / x.shape[-1] ** 0.5

# %% wrong: one_added
# wrong: adds one to the weight, as some other models do
# says: 1 is added to the weight
# likely: 1 is added to the weight of the norm
# next: take `model["norm"]` as it is
-    normed = rms_norm(x, model["norm"])
+    normed = rms_norm(x, 1 + model["norm"])

# %% wrong: layer_norm
# wrong: LayerNorm subtracts the mean
# says: the mean
# likely: the norm subtracts the mean, as LayerNorm does
# next: this model has RMSNorm: use your `rms_norm`
-    normed = rms_norm(x, model["norm"])
+    normed = nn.functional.layer_norm(x, x.shape[-1:], model["norm"])

# %% wrong: embedding_normed
# wrong: norms the rows of the embedding, too
# says: rows of the embedding are normed
# likely: the rows of the embedding are normed, too
# next: norm the stream alone
-    logits = normed @ model["embedding"].T
+    logits = normed @ rms_norm(model["embedding"], model["norm"]).T

# %% wrong: embedding_normed_alone
# wrong: norms the rows of the embedding in place of the stream
# says: in place of the stream
# likely: the rows of the embedding are normed in place of the stream
# next: norm the stream: `rms_norm(x, model["norm"])`
-    logits = normed @ model["embedding"].T
+    logits = x @ rms_norm(model["embedding"], model["norm"]).T

# %% wrong: normed_twice
# wrong: norms what is normed already
# says: twice
# likely: the stream is normed twice
# next: norm it once
-    logits = normed @ model["embedding"].T
+    logits = rms_norm(normed, model["norm"]) @ model["embedding"].T

# %% wrong: no_product
# wrong: returns the normed stream
# says: the product with `model["embedding"]` is missing
-    return logits
+    return normed

# %% wrong: last_position
# wrong: reads only the last position
# says: only of the last position
# likely: these are the logits only of the last position
# next: return them for each vector of x
-    return logits
+    return logits[-1]

# %% wrong: most_likely
# wrong: returns the most likely token
# says: the most likely token
# likely: this is the most likely token, by its number
# next: return the logits of all tokens
-    return logits
+    return logits.argmax(dim=-1)

# %% wrong: two_axes_only
# wrong: exchanges axes of the stream, for matrices alone
# says: `.T` reverses all axes
-    logits = normed @ model["embedding"].T
+    logits = (model["embedding"] @ normed.T).T
