# wrong: divides q in place (catalogue 41)
# says: in-place operation
def scaled_dot_product_attention(q, k, v):
    q /= q.shape[-1] ** 0.5
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
