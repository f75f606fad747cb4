# wrong: outputs in columns (catalogue 19)
# says: the result is transposed
def scaled_dot_product_attention(q, k, v):
    y = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v
    return y.transpose(-2, -1)
