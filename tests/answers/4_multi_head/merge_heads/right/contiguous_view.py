def merge_heads(x):
    B, h, T, s = x.size()
    return x.transpose(1, 2).contiguous().view(B, T, -1)
