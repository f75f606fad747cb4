# wrong: repeats the first head (catalogue 29)
# says: no mistake that this check knows
def merge_heads(x):
    return torch.cat([x[:, 0]] * x.shape[1], dim=-1)
