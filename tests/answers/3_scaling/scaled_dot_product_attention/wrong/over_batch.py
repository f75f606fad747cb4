# wrong: softmax over the first axis (catalogue 3)
# says: the softmax runs over the batch
def scaled_dot_product_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=0) @ v
