# wrong: mixes the keys (catalogue 15)
# says: shape (2, 3, 5)
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ k
