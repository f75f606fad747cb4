# wrong: divides by the root of the number of keys (catalogue 12)
# says: another length than the one
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5, dim=-1) @ v
