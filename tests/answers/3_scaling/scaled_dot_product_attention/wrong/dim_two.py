# wrong: dim=2 and transpose(1, 2): only for three axes (catalogue 44)
# says: the array does not have
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=2) @ v
