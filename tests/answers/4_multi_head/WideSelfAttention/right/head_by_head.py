class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        heads = []
        for n in range(self.heads):
            own = slice(n * self.k, (n + 1) * self.k)
            scores = q[:, :, own] @ k[:, :, own].transpose(-1, -2) / self.k ** 0.5
            heads.append(torch.softmax(scores, dim=-1) @ v[:, :, own])
        return self.unifyheads(torch.cat(heads, dim=-1))
