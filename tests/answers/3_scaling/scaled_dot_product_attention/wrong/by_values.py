# wrong: divides by the root of d_v (catalogue 12)
# says: another length than the one
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5, dim=-1) @ v
