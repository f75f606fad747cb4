# wrong: always cuts in two (catalogue 42)
# says: shape
def split_heads(x, heads):
    return torch.stack(x.chunk(2, dim=-1), dim=1)
