# Right and wrong answers to `rotate_heads`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
def rotate_heads(x, first=0):
    T, s = x.shape[1:]
    positions = torch.arange(first, first + T)[:, None]              # (T, 1)
    angle = positions / 100000 ** (torch.arange(0, s, 2) / s)        # (T, s / 2)
    even, odd = x[..., 0::2], x[..., 1::2]                           # (heads, T, s / 2)
    result = torch.empty_like(x)
    result[..., 0::2] = even * angle.cos() - odd * angle.sin()
    result[..., 1::2] = even * angle.sin() + odd * angle.cos()
    return result
