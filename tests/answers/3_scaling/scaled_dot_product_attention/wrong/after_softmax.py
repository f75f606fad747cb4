# wrong: divides the weights (catalogue 13)
# says: after the softmax
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) / q.shape[-1] ** 0.5 @ v
