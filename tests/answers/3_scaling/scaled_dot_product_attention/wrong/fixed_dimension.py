# wrong: divides by the root of 5, the card's d_k (catalogue 42)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / 5 ** 0.5, dim=-1) @ v
