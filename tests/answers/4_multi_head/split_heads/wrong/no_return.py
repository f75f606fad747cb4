# wrong: computes and forgets to return (catalogue 43)
# says: your function returns None
def split_heads(x, heads):
    y = torch.stack(x.chunk(heads, dim=-1), dim=1)
