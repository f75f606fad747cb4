# wrong: shares out the tokens, not their numbers
# says: shape
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=1), dim=1)
