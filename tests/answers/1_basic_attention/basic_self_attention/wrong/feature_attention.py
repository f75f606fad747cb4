# wrong: attention over features (catalogue 17)
# says: the largest difference
def basic_self_attention(x):
    return x @ torch.softmax(x.transpose(1, 2) @ x, dim=-1)
