# wrong: queries look at the keys of other sequences (catalogue 45)
# says: the largest difference
def scaled_dot_product_attention(q, k, v):
    a, b, c = (t.reshape(-1, t.shape[-1]) for t in (q, k, v))
    return (torch.softmax(a @ b.T / q.shape[-1] ** 0.5, dim=-1) @ c).reshape(*q.shape[:-1], v.shape[-1])
