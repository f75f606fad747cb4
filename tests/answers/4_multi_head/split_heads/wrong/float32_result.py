# wrong: converts to float32: half the digits are gone (catalogue 43)
# says: only the hidden tests see it
def split_heads(x, heads):
    B, T, E = x.shape
    return x.float().reshape(B, T, heads, E // heads).transpose(1, 2)
