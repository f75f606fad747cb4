# wrong: the first sequence for all (catalogue 44)
# says: the first sequence is used for all
def scaled_dot_product_attention(q, k, v):
    if q.dim() < 3:
        return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v
    one = torch.softmax(q[0] @ k[0].transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v[0]
    return one.expand(len(q), *one.shape)
