# wrong: scales q and the scores (catalogue 10)
# says: divided by d itself
def scaled_dot_product_attention(q, k, v):
    root = q.shape[-1] ** 0.5
    return torch.softmax((q / root) @ k.transpose(-2, -1) / root, dim=-1) @ v
