# wrong: zeroes what it has copied (catalogue 41)
# says: an in-place operation
def split_heads(x, heads):
    result = torch.stack(x.chunk(heads, dim=-1), dim=1)
    x.zero_()
    return result
