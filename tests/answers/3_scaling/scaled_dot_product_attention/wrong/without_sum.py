# wrong: does not normalise (catalogue 5)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return torch.exp(s - s.amax(-1, keepdim=True)) @ v
