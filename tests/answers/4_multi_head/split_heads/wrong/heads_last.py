# wrong: leaves the axes as (B, T, h, s) (catalogue 26)
# says: the exchange is missing
def split_heads(x, heads):
    B, T, E = x.shape
    return x.reshape(B, T, heads, E // heads)
