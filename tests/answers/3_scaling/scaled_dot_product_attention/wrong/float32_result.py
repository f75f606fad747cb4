# wrong: computes in float32 (catalogue 43)
# says: only the hidden tests see it
def scaled_dot_product_attention(q, k, v):
    q, k, v = q.float(), k.float(), v.float()
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v
