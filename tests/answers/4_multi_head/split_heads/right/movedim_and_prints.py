def split_heads(x, heads):
    B, T, E = x.shape
    print('splitting', x.shape)
    return torch.movedim(x.contiguous().view(B, T, heads, E // heads), 2, 1)
