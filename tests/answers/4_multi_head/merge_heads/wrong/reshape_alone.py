# wrong: no exchange before joining: tokens mixed (catalogue 23)
# says: without bringing the tokens back
def merge_heads(x):
    B, h, T, s = x.shape
    return x.reshape(B, T, h * s)
