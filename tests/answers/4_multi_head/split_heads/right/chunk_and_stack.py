def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)
