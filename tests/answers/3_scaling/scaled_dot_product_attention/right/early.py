def scaled_dot_product_attention(q, k, v):
    root = k.size(-1) ** 0.25
    return torch.nn.functional.softmax(torch.matmul(q / root, (k / root).mT), dim=-1) @ v
