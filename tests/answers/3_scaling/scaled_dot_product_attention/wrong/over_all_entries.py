# wrong: one softmax for a whole sequence (catalogue 2)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.softmax(s.flatten(-2), dim=-1).view_as(s) @ v
