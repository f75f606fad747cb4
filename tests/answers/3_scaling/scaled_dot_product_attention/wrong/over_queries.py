# wrong: softmax over dim=-2 (catalogue 1)
# says: adds up over the queries
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-2) @ v
