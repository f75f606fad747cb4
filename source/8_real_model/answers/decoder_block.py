# Right and wrong answers to `decoder_block`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def decoder_block(x, layer, s, keys=None, values=None):
    normed = rms_norm(x, layer["norm_1"])
    attended, keys, values = attend_with_cache(normed, layer, s, keys, values)
    x = x + attended                                                 # (t, k)
    x = x + gated_feed_forward(rms_norm(x, layer["norm_2"]), layer)
    return x, keys, values
