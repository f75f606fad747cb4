# wrong: returns a NumPy array (catalogue 43)
# says: a torch tensor
def scaled_dot_product_attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1) @ v).numpy()
