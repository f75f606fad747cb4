# wrong: view fails on a tensor whose axes were exchanged before (catalogue 25)
# says: only the hidden tests see it
def split_heads(x, heads):
    B, T, E = x.shape
    return x.as_strided((B, heads, T, E // heads), (T * E, E // heads, E, 1))
