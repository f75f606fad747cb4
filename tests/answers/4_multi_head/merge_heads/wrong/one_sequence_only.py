# wrong: merges x[0] only (catalogue 44)
# says: shape
def merge_heads(x):
    return torch.cat(list(x[0]), dim=-1)
