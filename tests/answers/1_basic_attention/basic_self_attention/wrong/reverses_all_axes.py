# wrong: reverses all axes, as .T does on three axes (catalogue 44)
# says: your code raised RuntimeError
def basic_self_attention(x):
    return torch.softmax(x @ x.permute(2, 1, 0), dim=-1) @ x
