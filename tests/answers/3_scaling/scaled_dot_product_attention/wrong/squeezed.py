# wrong: drops axes of length 1 (catalogue 46)
# says: an axis of length 1 was dropped
def scaled_dot_product_attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v).squeeze()
