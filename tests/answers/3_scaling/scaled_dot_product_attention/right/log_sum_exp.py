def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-1, -2) / torch.sqrt(torch.tensor(q.shape[-1], dtype=q.dtype))
    return torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True)) @ v
