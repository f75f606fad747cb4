# wrong: permutes the batch away (catalogue 44)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.permute(*reversed(range(k.dim()))) / q.shape[-1] ** 0.5, dim=-1) @ v
