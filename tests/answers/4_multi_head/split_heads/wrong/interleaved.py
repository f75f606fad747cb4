# wrong: every h-th number goes to the same head (catalogue 24)
# says: every h-th number
def split_heads(x, heads):
    B, T, E = x.shape
    return x.reshape(B, T, E // heads, heads).permute(0, 3, 1, 2)
