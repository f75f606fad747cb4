# wrong: view on exchanged axes (catalogue 25)
# says: your code raised RuntimeError
def merge_heads(x):
    B, h, T, s = x.shape
    return x.transpose(1, 2).view(B, T, h * s)
