def split_heads(x, heads):
    B, T, E = x.size()
    return x.reshape(B, T, heads, E // heads).transpose(1, 2).contiguous()
