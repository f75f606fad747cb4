# wrong: uses x[0] for every sequence (catalogue 44)
# says: no mistake that this check knows
def split_heads(x, heads):
    B, T, E = x.shape
    one = torch.stack(x[0].chunk(heads, dim=-1))
    return one.expand(B, heads, T, E // heads)
