# Right and wrong answers to `residual_streams`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def residual_streams(model, tokens):
    streams = [model["embedding"][tokens]]                           # (T, k)
    for layer in model["layers"]:
        streams.append(decoder_block(streams[-1], layer, model["s"])[0])
    return torch.stack(streams)
