def scaled_dot_product_attention(q, k, v):
    # Schlüssel zuerst, am Ende zurückgestellt
    d = q.size()[-1]
    columns = torch.nn.Softmax(dim=-2)((k / d ** 0.5) @ q.transpose(-2, -1))
    return columns.transpose(-2, -1).contiguous() @ v
