# Right and wrong answers to `decoder_block`; authoring/README.md says how they are written.

# %% right: step_by_step
def decoder_block(x, layer, s, keys=None, values=None):
    normed = rms_norm(x, layer["norm_1"])
    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
    x = x + attended
    normed = rms_norm(x, layer["norm_2"])
    fed = gated_feed_forward(normed, layer)
    x = x + fed
    return x, keys, values

# %% right: as_in_the_lesson
def decoder_block(x, layer, s, keys=None, values=None):
    normed = rms_norm(x, layer["norm_1"])
    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
    x = x + attended                                                 # (t, k)
    x = x + gated_feed_forward(rms_norm(x, layer["norm_2"]), layer)
    return x, keys, values

# %% right: a_name_for_each_stream
def decoder_block(x, layer, s, keys=None, values=None):
    attended, new_keys, new_values = attend_with_cache(
        rms_norm(x, layer["norm_1"]), layer, s, keys=keys, values=values)
    between = x + attended
    after = between + gated_feed_forward(rms_norm(between, layer["norm_2"]), layer)
    return after, new_keys, new_values

# %% right: starred
def decoder_block(x, layer, s, *cache):
    attended, *cache = attend_with_cache(rms_norm(x, layer["norm_1"]), layer, s, *cache)
    x = x + attended
    return x + gated_feed_forward(rms_norm(x, layer["norm_2"]), layer), *cache

# %% right: added_to_a_copy
def decoder_block(x, layer, s, keys=None, values=None):
    stream = x.clone()
    a, k, v = attend_with_cache(rms_norm(stream, layer["norm_1"]), layer, s, keys, values)
    stream += a
    stream += gated_feed_forward(rms_norm(stream, layer["norm_2"]), layer)
    return stream, k, v

# %% right: torchs_norm
def decoder_block(x, layer, s, keys=None, values=None):
    def norm(stream, name):
        return nn.functional.rms_norm(stream, stream.shape[-1:], layer[name], eps=1e-5)

    result = attend_with_cache(norm(x, "norm_1"), layer, s, keys, values)
    x = torch.add(x, result[0])
    return (x + gated_feed_forward(norm(x, "norm_2"), layer), result[1], result[2])

# %% right: part_by_part
def decoder_block(x, layer, s, keys=None, values=None):
    kept = {}

    def attention(normed):
        out, kept["keys"], kept["values"] = attend_with_cache(normed, layer, s, keys, values)
        return out

    def feed_forward(normed):
        return gated_feed_forward(normed, layer)

    for weight, part in ((layer["norm_1"], attention), (layer["norm_2"], feed_forward)):
        x = x + part(rms_norm(x, weight))
    return x, kept["keys"], kept["values"]

# %% right: sum_at_the_end
def decoder_block(x, layer, s, keys=None, values=None):
    attended, keys, values = attend_with_cache(rms_norm(x, layer["norm_1"]), layer, s, keys, values)
    fed = gated_feed_forward(rms_norm(x + attended, layer["norm_2"]), layer)
    return x + attended + fed, keys, values

# %% wrong: norms_after
# wrong: norms each sum, as the first transformers did
# says: each sum is normed
# likely: each sum is normed after its part: the stream itself goes through both norms
# next: norm only what a part reads: `x + attend_with_cache(rms_norm(x, layer["norm_1"]), ...)`, then the same with `norm_2`
-    normed = rms_norm(x, layer["norm_1"])
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
-    x = x + fed
+    attended, keys, values = attend_with_cache(x, layer, s, keys, values)
+    x = rms_norm(x + attended, layer["norm_1"])
+    x = rms_norm(x + gated_feed_forward(x, layer), layer["norm_2"])

# %% wrong: stream_normed
# wrong: the normed stream goes on, and not the stream
# says: the normed x
# likely: what a part returns is added to the normed x, and not to the stream
# next: keep the stream: give the normed one another name, and add to `x`
-    normed = rms_norm(x, layer["norm_1"])
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
-    x = x + fed
+    x = rms_norm(x, layer["norm_1"])
+    attended, keys, values = attend_with_cache(x, layer, s, keys, values)
+    x = x + attended
+    x = rms_norm(x, layer["norm_2"])
+    x = x + gated_feed_forward(x, layer)

# %% wrong: first_sum_normed
# wrong: attention's outputs are added to the normed stream
# says: what attention returns is added to the normed x
# likely: what attention returns is added to the normed x, and not to the stream
# next: add it to `x` as it came in
-    x = x + attended
+    x = normed + attended

# %% wrong: second_sum_normed
# wrong: the feed-forward part's outputs are added to the normed stream
# says: what the feed-forward part returns is added to the normed x
# likely: what the feed-forward part returns is added to the normed x, and not to the stream
# next: add it to the stream as attention has left it, `x`
-    x = x + fed
+    x = normed + fed

# %% wrong: norm_1_twice
# wrong: norms with norm_1 in both places
# says: `norm_1` stands in front of the feed-forward part, too
# likely: `norm_1` stands in front of the feed-forward part, too
# next: norm with `layer["norm_2"]` there
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(x, layer["norm_1"])

# %% wrong: norms_exchanged
# wrong: norm_2 first
# says: the two norms are exchanged
# likely: the two norms are exchanged
# next: `norm_1` belongs in front of attention, `norm_2` in front of the feed-forward part
-    normed = rms_norm(x, layer["norm_1"])
+    normed = rms_norm(x, layer["norm_2"])
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(x, layer["norm_1"])

# %% wrong: attended_not_added
# wrong: attention's outputs replace the stream
# says: in place of the stream
# likely: what attention returns goes on in place of the stream: it is not added
# next: add it: `x = x + attended`
-    x = x + attended
+    x = attended

# %% wrong: attended_left_out
# wrong: attention's outputs are never used
# says: attention adds nothing
# likely: attention adds nothing to the stream
# next: add what it returns before the second norm: `x = x + attended`
-    x = x + attended

# %% wrong: fed_not_added
# wrong: no second residual connection
# says: the feed-forward part returns is the result
# likely: what the feed-forward part returns is the result: it is not added to the stream
# next: add it: `x + gated_feed_forward(...)`
-    x = x + fed
+    x = fed

# %% wrong: neither_added
# wrong: no residual connections at all
# says: nothing is added
# likely: nothing is added to the stream: each part's outputs replace it
# next: add what each part returns to what the stream held before it
-    x = x + attended
+    x = attended
-    x = x + fed
+    x = fed

# %% wrong: feed_forward_not_normed
# wrong: the feed-forward part reads the stream itself
# says: the feed-forward part reads x without a norm
# likely: the feed-forward part reads x without a norm
# next: give it `rms_norm(x, layer["norm_2"])`
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
+    fed = gated_feed_forward(x, layer)

# %% wrong: attention_not_normed
# wrong: attention reads the stream itself
# says: attention reads x without a norm
# likely: attention reads x without a norm
# next: give it `rms_norm(x, layer["norm_1"])`
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended, keys, values = attend_with_cache(x, layer, s, keys, values)

# %% wrong: no_norms
# wrong: no norm at all
# says: neither part's input is normed
# likely: neither part's input is normed
# next: norm x with `norm_1` in front of attention, and with `norm_2` in front of the feed-forward part
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended, keys, values = attend_with_cache(x, layer, s, keys, values)
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
+    fed = gated_feed_forward(x, layer)

# %% wrong: weights_of_norms_left_out
# wrong: norms without norm_1 and norm_2
# says: without their weights
# likely: both norms are there, but without their weights
# next: give them `layer["norm_1"]` and `layer["norm_2"]`
-    normed = rms_norm(x, layer["norm_1"])
+    ones = torch.ones(x.shape[-1])
+    normed = rms_norm(x, ones)
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(x, ones)

# %% wrong: layer_norms
# wrong: LayerNorm in place of RMSNorm
# says: subtract the mean
# likely: the norms subtract the mean, as LayerNorm does
# next: this model has RMSNorm: use your `rms_norm`
-    normed = rms_norm(x, layer["norm_1"])
+    normed = nn.functional.layer_norm(x, x.shape[-1:], layer["norm_1"])
-    normed = rms_norm(x, layer["norm_2"])
+    normed = nn.functional.layer_norm(x, x.shape[-1:], layer["norm_2"])

# %% wrong: side_by_side
# wrong: both parts read the stream from before attention
# says: the stream from before attention
# likely: the feed-forward part reads the stream from before attention
# next: add what attention returns first, and norm that sum with `norm_2`
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(x, layer["norm_2"])
+    x = x + attended

# %% wrong: side_by_side_one_norm
# wrong: both parts read what norm_1 gives
# says: both parts read the same normed x
# likely: both parts read the same normed x, that of `norm_1`
# next: add what attention returns first, and norm that sum with `norm_2` for the feed-forward part
-    normed = rms_norm(x, layer["norm_2"])

# %% wrong: reads_attended_alone
# wrong: the feed-forward part reads attention's outputs without the stream
# says: what attention returns alone
# likely: the feed-forward part reads what attention returns alone, without the stream
# next: norm the sum: `rms_norm(x, layer["norm_2"])` after `x = x + attended`
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(attended, layer["norm_2"])

# %% wrong: added_to_the_first_stream
# wrong: the second sum begins with the stream from before attention
# says: added to the stream from before attention
# likely: what the feed-forward part returns is added to the stream from before attention: what attention returned is missing in the sum
# next: add it to x *after* `x = x + attended`
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
+    normed = rms_norm(x + attended, layer["norm_2"])

# %% wrong: outputs_normed
# wrong: norms what the parts return
# says: what each part returns is normed
# likely: what each part returns is normed, and not what it reads
# next: norm the input: `attend_with_cache(rms_norm(x, layer["norm_1"]), ...)`, then the same with `norm_2`
-    normed = rms_norm(x, layer["norm_1"])
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
-    x = x + fed
+    attended, keys, values = attend_with_cache(x, layer, s, keys, values)
+    x = x + rms_norm(attended, layer["norm_1"])
+    x = x + rms_norm(gated_feed_forward(x, layer), layer["norm_2"])

# %% wrong: normed_once_more
# wrong: norms the stream at the end
# says: the stream itself is normed at the end
# likely: the stream itself is normed at the end
# next: return the sum as it is: the next layer norms what it reads
-    return x, keys, values
+    return rms_norm(x, layer["norm_2"]), keys, values

# %% wrong: feed_forward_first
# wrong: the two parts in the other order
# says: the feed-forward part comes before attention
# likely: the feed-forward part comes before attention
# next: attention first, with `norm_1`, then the feed-forward part, with `norm_2`
-    normed = rms_norm(x, layer["norm_1"])
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
-    x = x + attended
-    normed = rms_norm(x, layer["norm_2"])
-    fed = gated_feed_forward(normed, layer)
-    x = x + fed
+    x = x + gated_feed_forward(rms_norm(x, layer["norm_2"]), layer)
+    attended, keys, values = attend_with_cache(rms_norm(x, layer["norm_1"]), layer, s, keys, values)
+    x = x + attended

# %% wrong: no_feed_forward
# wrong: ends after attention
# says: the feed-forward part is missing
# likely: the feed-forward part is missing
# next: add `gated_feed_forward(rms_norm(x, layer["norm_2"]), layer)` to the stream
-    x = x + fed

# %% wrong: cache_not_passed_on
# wrong: attention does not get the earlier keys and values
# says: earlier keys and values are not passed on
# likely: the earlier keys and values are not passed on to attention
# next: give `attend_with_cache` also `keys` and `values`
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended, keys, values = attend_with_cache(normed, layer, s)

# %% wrong: old_cache_returned
# wrong: returns the keys and values that came in
# says: behind `return` is None
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended, _, _ = attend_with_cache(normed, layer, s, keys, values)

# %% wrong: values_before_keys
# wrong: returns values before keys
# says: the keys and values that come back are exchanged
# likely: the keys and values that come back are exchanged
# next: return keys before values, as `attend_with_cache` does
-    return x, keys, values
+    return x, values, keys

# %% wrong: cache_exchanged
# wrong: gives the earlier values as keys
# says: `keys` and `values` are swapped
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended, keys, values = attend_with_cache(normed, layer, s, values, keys)

# %% wrong: stream_alone
# wrong: returns the stream without keys and values
# says: a part is missing
-    return x, keys, values
+    return x

# %% wrong: cache_as_a_pair
# wrong: returns keys and values as one pair
# says: too few parts
-    return x, keys, values
+    return x, (keys, values)

# %% wrong: in_place
# wrong: adds to the stream that it was given
# says: an in-place operation on the argument
-    x = x + attended
+    x += attended

# %% wrong: attention_not_unpacked
# wrong: adds all that attention returns
# says: `attended` is a tuple
-    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
+    attended = attend_with_cache(normed, layer, s, keys, values)
