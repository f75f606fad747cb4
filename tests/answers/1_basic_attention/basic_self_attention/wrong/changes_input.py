# wrong: scales its input in place and back, one entry short (catalogue 41)
# says: an in-place operation on the argument
def basic_self_attention(x):
    y = torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x
    x.sub_(x.mean())
    return y
