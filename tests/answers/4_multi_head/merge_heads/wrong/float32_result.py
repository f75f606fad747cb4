# wrong: converts to float32 (catalogue 43)
# says: only the hidden tests see it
def merge_heads(x):
    return x.float().transpose(1, 2).flatten(2)
