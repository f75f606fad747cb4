# wrong: computes in float32: half the digits are gone (catalogue 43)
# says: only the hidden tests see it
def basic_self_attention(x):
    x = x.float()
    return torch.softmax(x @ x.transpose(1, 2), dim=-1) @ x
