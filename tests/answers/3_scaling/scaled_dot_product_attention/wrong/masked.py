# wrong: looks at earlier tokens only: a mask nobody asked for (catalogue 34)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    mask = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    return torch.softmax(s.masked_fill(~mask, float("-inf")), dim=-1) @ v
