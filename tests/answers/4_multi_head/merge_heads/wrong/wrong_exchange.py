# wrong: exchanges the last two axes
# says: the last two axes were exchanged
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(2, 3).reshape(B, T, h * s)
