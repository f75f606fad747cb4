def scaled_dot_product_attention(q, k, v):
    front = q.shape[:-2]
    a, b, c = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v))
    weights = torch.softmax(torch.bmm(a, b.transpose(1, 2)) / b.shape[2] ** 0.5, dim=2)
    y = torch.bmm(weights, c)
    return y.view(*front, *y.shape[-2:])
