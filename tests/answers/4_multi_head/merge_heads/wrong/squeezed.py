# wrong: squeeze() drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).squeeze()
