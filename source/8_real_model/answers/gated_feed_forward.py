# Right and wrong answers to `gated_feed_forward`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def gated_feed_forward(x, layer):
    hidden = nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)   # (T, hidden)
    return hidden @ layer["down"].T
