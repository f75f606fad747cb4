# wrong: sizes of the example are typed in (catalogue 42)
# says: your code raised RuntimeError
def split_heads(x, heads):
    return x.reshape(2, 3, 2, 2).transpose(1, 2)
