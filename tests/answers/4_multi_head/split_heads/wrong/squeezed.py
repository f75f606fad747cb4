# wrong: squeeze() drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1).squeeze()
