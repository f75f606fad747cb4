# wrong: transposes the weights (catalogue 20)
# says: or transposed the weights
def basic_self_attention(x):
    weights = torch.softmax(x @ x.transpose(1, 2), dim=-1)
    return weights.transpose(1, 2) @ x
