# wrong: divides by d_k (catalogue 10)
# says: divided by d itself
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1], dim=-1) @ v
