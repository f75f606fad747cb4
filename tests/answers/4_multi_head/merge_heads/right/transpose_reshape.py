def merge_heads(x):
    B, h, T, s = x.size()
    return x.permute(0, 2, 1, 3).reshape(B, T, h * s)
