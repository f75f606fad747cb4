# wrong: forgets the scaling (catalogue 9)
# says: the scores are not scaled
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
