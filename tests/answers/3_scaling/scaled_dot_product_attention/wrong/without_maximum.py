# wrong: relies on the scaling against overflow (catalogue 7)
# says: nan or inf
def scaled_dot_product_attention(q, k, v):
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    return e / e.sum(dim=-1, keepdim=True) @ v
