def merge_heads(x):
    B, h, T, s = x.shape
    out = torch.zeros(B, T, h * s, dtype=x.dtype)
    for n in range(h):
        out[:, :, n * s:(n + 1) * s] = x[:, n]
    return out
