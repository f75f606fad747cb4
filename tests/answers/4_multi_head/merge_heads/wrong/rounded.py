# wrong: rounds (catalogue 50)
# says: only the hidden tests see it
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).round(decimals=3)
