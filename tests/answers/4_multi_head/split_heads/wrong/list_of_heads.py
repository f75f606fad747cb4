# wrong: returns a list of heads (catalogue 43)
# says: your function returns list
def split_heads(x, heads):
    return list(x.chunk(heads, dim=-1))
