# wrong: subtracts one maximum for all (catalogue 8)
# says: nan or inf
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    return e / e.sum(dim=-1, keepdim=True) @ v
