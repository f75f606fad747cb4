# wrong: exchanges in place (catalogue 41)
# says: an in-place operation
def merge_heads(x):
    result = x.transpose(1, 2).flatten(2)
    x.mul_(0)
    return result
