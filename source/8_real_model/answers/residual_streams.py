# Right and wrong answers to `residual_streams`; authoring/README.md says how they are written.

# %% right: step_by_step
def residual_streams(model, tokens):
    x = model["embedding"][tokens]
    streams = [x]
    for layer in model["layers"]:
        x, keys, values = decoder_block(x, layer, model["s"])
        streams.append(x)
    return torch.stack(streams)

# %% right: as_in_the_lesson
def residual_streams(model, tokens):
    streams = [model["embedding"][tokens]]                           # (T, k)
    for layer in model["layers"]:
        streams.append(decoder_block(streams[-1], layer, model["s"])[0])
    return torch.stack(streams)

# %% right: filled
def residual_streams(model, tokens):
    layers = model["layers"]
    V, k = model["embedding"].shape
    streams = torch.empty(len(layers) + 1, len(tokens), k)
    streams[0] = model["embedding"][tokens]
    for n, layer in enumerate(layers):
        streams[n + 1], _, _ = decoder_block(streams[n], layer, model["s"])
    return streams

# %% right: one_hot
def residual_streams(model, tokens):
    rows = nn.functional.one_hot(tokens, len(model["embedding"])).float() @ model["embedding"]
    streams = [rows]
    for n in range(len(model["layers"])):
        streams += [decoder_block(streams[n], model["layers"][n], model["s"])[0]]
    return torch.stack(streams, dim=0)

# %% right: grown_by_cat
def residual_streams(model, tokens):
    streams = nn.functional.embedding(tokens, model["embedding"])[None]
    for layer in model["layers"]:
        new = decoder_block(streams[-1], layer, model["s"], None, None)[0]
        streams = torch.cat([streams, new[None]])
    return streams

# %% right: accumulated
def residual_streams(model, tokens):
    from itertools import accumulate

    def after(x, layer):
        return decoder_block(x, layer, model["s"])[0]

    return torch.stack(list(accumulate(model["layers"], after, initial=model["embedding"][tokens])))

# %% right: in_a_comprehension
def residual_streams(model, tokens):
    x = model["embedding"].index_select(0, tokens)
    return torch.stack([x] + [x := decoder_block(x, layer, model["s"])[0] for layer in model["layers"]])

# %% right: without_gradients
@torch.no_grad()
def residual_streams(model, tokens):
    stream, s = model["embedding"][tokens].clone(), model["s"]
    found = [stream.clone()]
    for layer in model["layers"]:
        stream, *_ = decoder_block(stream, layer, s)
        found.append(stream.clone())
    return torch.stack(tuple(found))

# %% right: appended_before
def residual_streams(model, tokens):
    x, streams = model["embedding"][tokens], []
    for layer in model["layers"]:
        streams.append(x)
        x = decoder_block(x, layer, model["s"])[0]
    streams.append(x)
    return torch.stack(streams)

# %% wrong: without_the_embedding
# wrong: begins with the stream after the first layer
# says: the stream before the first layer is missing
# likely: the stream before the first layer is missing
# next: begin the list with the rows of the embedding
-    streams = [x]
+    streams = []

# %% wrong: without_the_last
# wrong: keeps what each layer reads, and forgets what the last one makes
# says: the stream after the last layer is missing
# likely: the stream after the last layer is missing
# next: append once more behind the loop, or append *after* each layer
-    streams = [x]
+    streams = []
-        x, keys, values = decoder_block(x, layer, model["s"])
-        streams.append(x)
+        streams.append(x)
+        x, keys, values = decoder_block(x, layer, model["s"])

# %% wrong: only_the_last
# wrong: returns the last stream alone
# says: only the last entry
-    return torch.stack(streams)
+    return x

# %% wrong: embedding_twice
# wrong: appends what the layer reads, behind a list that holds it already
# says: twice
# likely: the stream before the first layer is there twice, and that after the last is missing
# next: append what the block *returns*
-        x, keys, values = decoder_block(x, layer, model["s"])
-        streams.append(x)
+        streams.append(x)
+        x, keys, values = decoder_block(x, layer, model["s"])

# %% wrong: stacked_behind_the_tokens
# wrong: stacks along axis 1
# says: axes are in a different order
-    return torch.stack(streams)
+    return torch.stack(streams, dim=1)

# %% wrong: stacked_last
# wrong: stacks along the last axis
# says: axes are in a different order
-    return torch.stack(streams)
+    return torch.stack(streams, dim=-1)

# %% wrong: joined_by_cat
# wrong: joins the rows of all streams
# says: only the shape is different
-    return torch.stack(streams)
+    return torch.cat(streams)

# %% wrong: list_of_tensors
# wrong: returns the list
# says: a list of 3 parts
-    return torch.stack(streams)
+    return streams

# %% wrong: each_reads_the_embedding
# wrong: each layer reads the first stream
# says: every layer reads the stream from before the first layer
# likely: every layer reads the stream from before the first layer
# next: give each layer what the layer before it returned: the last stream of the list
-        x, keys, values = decoder_block(x, layer, model["s"])
-        streams.append(x)
+        streams.append(decoder_block(x, layer, model["s"])[0])

# %% wrong: layers_reversed
# wrong: goes through the layers from the last to the first
# says: from the last to the first
# likely: the layers come in the other order: from the last to the first
# next: go through `model["layers"]` as they stand
-    for layer in model["layers"]:
+    for layer in reversed(model["layers"]):

# %% wrong: streams_reversed
# wrong: returns the last stream first
# says: in reverse order
-    return torch.stack(streams)
+    return torch.stack(streams[::-1])

# %% wrong: first_layer_each_time
# wrong: uses layer 0 each time
# says: the first layer is used each time
# likely: the first layer is used each time
# next: use the layer of the loop
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x, keys, values = decoder_block(x, model["layers"][0], model["s"])

# %% wrong: embedding_scaled
# wrong: multiplies the embedding by the root of k, as some other models do
# says: multiplied by the root of k
# likely: the rows of the embedding are multiplied by the root of k
# next: take the rows as they are: this model does not scale them
-    x = model["embedding"][tokens]
+    x = model["embedding"][tokens] * model["embedding"].shape[1] ** 0.5

# %% wrong: normed_streams
# wrong: keeps the stream as the readout norms it
# says: the streams that are returned are normed
# likely: the streams that are returned are normed with the model's last norm
# next: return the streams as the blocks return them: the readout norms them later
-    return torch.stack(streams)
+    return rms_norm(torch.stack(streams), model["norm"])

# %% wrong: last_stream_normed
# wrong: norms the last stream, as libraries do with their last hidden state
# says: the last stream is normed
# likely: the last stream is normed with the model's last norm
# next: return it as the block returns it: the readout norms it later
-    return torch.stack(streams)
+    streams[-1] = rms_norm(streams[-1], model["norm"])
+    return torch.stack(streams)

# %% wrong: normed_and_goes_on
# wrong: each layer reads the normed stream
# says: and so each layer reads
# likely: each stream is normed with the model's last norm, and so each layer reads a normed one
# next: go on with what the block returns: the block norms what it reads
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x = rms_norm(decoder_block(x, layer, model["s"])[0], model["norm"])

# %% wrong: embedding_normed
# wrong: norms the rows of the embedding
# says: the rows of the embedding are normed
# likely: the rows of the embedding are normed before the first layer
# next: take the rows as they are: the block norms what it reads
-    x = model["embedding"][tokens]
+    x = rms_norm(model["embedding"][tokens], model["norm"])

# %% wrong: last_layer_each_time
# wrong: uses the last layer each time
# says: the last layer is used each time
# likely: the last layer is used each time
# next: use the layer of the loop
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x, keys, values = decoder_block(x, model["layers"][-1], model["s"])

# %% wrong: one_place_too_early
# wrong: writes each stream one place too early
# says: one place too early
# likely: the streams stand one place too early: the one before the first layer is missing, and the last place is 0
# next: the rows of the embedding belong to place 0, the stream after layer n to place n + 1
-    streams = [x]
+    streams = torch.zeros(len(model["layers"]) + 1, *x.shape)
-    for layer in model["layers"]:
-        x, keys, values = decoder_block(x, layer, model["s"])
-        streams.append(x)
-    return torch.stack(streams)
+    for n, layer in enumerate(model["layers"]):
+        x, keys, values = decoder_block(x, layer, model["s"])
+        streams[n] = x
+    return streams

# %% wrong: added_once_more
# wrong: adds to the stream what the block returns, which holds the stream already
# says: added to the stream once more
# likely: what the block returns is added to the stream once more: the block has done that already
# next: go on with what the block returns: `x = decoder_block(x, layer, model["s"])[0]`
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x = x + decoder_block(x, layer, model["s"])[0]

# %% wrong: cache_from_layer_to_layer
# wrong: gives each layer the keys and values of the layer before
# says: keys and values of the layer before
# likely: each layer also gets the keys and values of the layer before as a cache
# next: a layer has keys and values of its own, and all tokens are read at once: give the block no cache
-    streams = [x]
+    streams = [x]
+    keys = values = None
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x, keys, values = decoder_block(x, layer, model["s"], keys, values)

# %% wrong: token_by_token
# wrong: each token goes through the layers by itself
# says: by itself
# likely: each token goes through the layers by itself, so that it sees no other one
# next: give the block all tokens at once, `(T, k)`
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x = torch.cat([decoder_block(row[None], layer, model["s"])[0] for row in x])

# %% wrong: what_layers_add
# wrong: keeps what each layer adds
# says: what the layer adds
# likely: what stands for each layer is what the layer adds, and not the stream after it
# next: append the stream itself: what the block returns
-        x, keys, values = decoder_block(x, layer, model["s"])
-        streams.append(x)
+        new = decoder_block(x, layer, model["s"])[0]
+        streams.append(new - x)
+        x = new

# %% wrong: one_tensor_for_all
# wrong: writes each new stream into the tensor that the list holds already
# says: the same
# likely: all streams are the same: that after the last layer
# next: append a new tensor each time, or a copy: writing into `x` changes what the list holds
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x[:] = decoder_block(x, layer, model["s"])[0]

# %% wrong: s_of_the_large_model
# wrong: 64 in place of the model's s
# says: sizes that do not multiply up to its length
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x, keys, values = decoder_block(x, layer, 64)

# %% wrong: columns_of_the_embedding
# wrong: takes columns in place of rows
# says: no such index
-    x = model["embedding"][tokens]
+    x = model["embedding"][:, tokens].T

# %% wrong: too_few_classes
# wrong: one_hot without the number of tokens
# says: a product needs equal lengths
-    x = model["embedding"][tokens]
+    x = nn.functional.one_hot(tokens).float() @ model["embedding"]

# %% wrong: triple_kept
# wrong: keeps all that the block returns
# says: with a tuple as `x`
-        x, keys, values = decoder_block(x, layer, model["s"])
+        x = decoder_block(x, layer, model["s"])
