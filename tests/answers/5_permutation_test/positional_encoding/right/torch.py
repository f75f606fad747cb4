def positional_encoding(T, k):
    t = torch.arange(T, dtype=torch.float64)[:, None]
    c = torch.arange(k)
    angle = t / 10000 ** (2 * (c // 2) / k)
    return torch.where(c % 2 == 0, angle.sin(), angle.cos()).numpy()
