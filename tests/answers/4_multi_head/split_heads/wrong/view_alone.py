# wrong: view without the exchange: tokens mixed (catalogue 22)
# says: cut by `view` alone
def split_heads(x, heads):
    B, T, E = x.shape
    return x.reshape(B, heads, T, E // heads)
