class RepairedAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.heads = heads
        self.queries = nn.Linear(k, k, bias=False)
        self.keys = nn.Linear(k, k, bias=False)
        self.values = nn.Linear(k, k, bias=False)
        self.output = nn.Linear(k, k)

    def forward(self, x):
        s = x.shape[-1] // self.heads
        q, k, v = self.queries(x), self.keys(x), self.values(x)
        heads = []
        for n in range(self.heads):
            own = slice(n * s, n * s + s)
            heads.append(torch.softmax(q[..., own] @ k[..., own].transpose(1, 2) / s ** 0.5, dim=-1) @ v[..., own])
        return self.output(torch.cat(heads, dim=-1))
