# wrong: the last head comes first (catalogue 29)
# says: no mistake that this check knows
def merge_heads(x):
    return torch.cat(list(x.unbind(1))[::-1], dim=-1)
