class Head(nn.Module):
    """One head, as a module without parameters of its own."""

    def forward(self, q, k, v, blocked):
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        if blocked is not None:
            scores = scores.masked_fill(blocked[:q.shape[1], :q.shape[1]], -torch.inf)
        return torch.softmax(scores, -1) @ v


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if heads < 1 or k % heads:
            raise ValueError("heads has to divide k")
        self.unifyheads = nn.Linear(k, k, bias=True)
        for name in ("tovalues", "tokeys", "toqueries"):
            setattr(self, name, nn.Linear(k, k, bias=False))
        self.each = nn.ModuleList(Head() for _ in range(heads))
        self.register_buffer("blocked", torch.ones(512, 512).triu(1).bool() if mask else None, persistent=False)

    def forward(self, x):
        h = len(self.each)
        parts = zip(self.toqueries(x).chunk(h, -1), self.tokeys(x).chunk(h, -1), self.tovalues(x).chunk(h, -1))
        return self.unifyheads(torch.cat([head(q, k, v, self.blocked) for head, (q, k, v) in zip(self.each, parts)], -1))
