def split_heads(x, heads):
    B, T, E = x.shape
    s = E // heads
    result = torch.empty(B, heads, T, s, dtype=x.dtype)
    for n in range(heads):
        result[:, n] = x[:, :, n * s:(n + 1) * s]
    return result
