# Right and wrong answers to `rms_norm`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def rms_norm(x, weight):
    root = (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()   # (…, 1)
    return x / root * weight
