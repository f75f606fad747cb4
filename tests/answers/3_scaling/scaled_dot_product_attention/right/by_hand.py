def scaled_dot_product_attention(q, k, v):
    scores = q.matmul(k.swapaxes(-1, -2)) * q.shape[-1] ** -0.5
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e.matmul(v) / e.sum(-1, keepdim=True)
