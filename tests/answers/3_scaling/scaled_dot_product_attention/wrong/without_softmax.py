# wrong: no softmax
# says: there is no softmax
def scaled_dot_product_attention(q, k, v):
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 @ v
