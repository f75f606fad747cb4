# wrong: adds the heads (catalogue 28)
# says: added up instead of put side by side
def merge_heads(x):
    return x.sum(dim=1)
