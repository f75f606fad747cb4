def split_heads(x, heads):
    s = x.shape[-1] // heads
    return torch.stack(torch.split(x, s, dim=2), 1)
