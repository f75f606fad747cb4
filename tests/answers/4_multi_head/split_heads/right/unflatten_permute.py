def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3)
