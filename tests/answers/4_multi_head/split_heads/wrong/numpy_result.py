# wrong: returns a NumPy array (catalogue 43)
# says: your function returns a NumPy array
def split_heads(x, heads):
    B, T, E = x.shape
    return x.numpy().reshape(B, T, heads, E // heads).transpose(0, 2, 1, 3)
