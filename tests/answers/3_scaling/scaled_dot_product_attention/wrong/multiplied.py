# wrong: multiplies by the root (catalogue 9)
# says: multiplied by the root
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5, dim=-1) @ v
