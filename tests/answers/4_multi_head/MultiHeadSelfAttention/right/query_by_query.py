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
        q, keys, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        rows = []
        for b in range(B):
            for i in range(T):
                last = i + 1 if self.mask else T
                parts = []
                for n in range(self.heads):
                    own = slice(n * s, (n + 1) * s)
                    scores = keys[b, :last, own] @ q[b, i, own] / s ** 0.5
                    parts.append(torch.softmax(scores, dim=0) @ v[b, :last, own])
                rows.append(torch.cat(parts))
        return self.unifyheads(torch.stack(rows).view(B, T, k))
