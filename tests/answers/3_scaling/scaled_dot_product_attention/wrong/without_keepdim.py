# wrong: divides by another row's sum (catalogue 6)
# says: raised RuntimeError
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e / e.sum(-1) @ v
