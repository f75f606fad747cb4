def split_heads(x, heads):
    B, T, E = x.shape
    s = E // heads
    return torch.stack([torch.stack([torch.stack([x[b, t, n * s:n * s + s] for t in range(T)]) for n in range(heads)]) for b in range(B)])
