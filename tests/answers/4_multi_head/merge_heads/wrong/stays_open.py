# wrong: exchanges and does not join
# says: shape
def merge_heads(x):
    return x.transpose(1, 2)
