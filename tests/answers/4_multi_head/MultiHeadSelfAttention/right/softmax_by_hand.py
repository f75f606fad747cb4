class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        if k % heads != 0:
            raise ValueError(f"k={k} is not divisible by {heads}")
        self.k, self.heads, self.mask = k, heads, mask
        self.toqueries = nn.Linear(k, k, bias=False)
        self.tokeys = nn.Linear(k, k, bias=False)
        self.tovalues = nn.Linear(k, k, bias=False)
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x):
        B, T, k = x.shape
        s = k // self.heads
        q, k_, v = [torch.stack(layer(x).chunk(self.heads, dim=2), dim=1) for layer in (self.toqueries, self.tokeys, self.tovalues)]
        scores = (q.unsqueeze(3) * k_.unsqueeze(2)).sum(-1) / s ** 0.5
        keep = torch.ones(T, T).tril() if self.mask else torch.ones(T, T)
        e = torch.exp(scores - scores.amax(-1, keepdim=True)) * keep
        if self.mask:                                     # a masked key may hold the largest score of a row
            scores = scores.masked_fill(keep == 0, -torch.inf)
            e = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = e / e.sum(-1, keepdim=True)
        return self.unifyheads(torch.cat((weights @ v).unbind(1), dim=-1))
