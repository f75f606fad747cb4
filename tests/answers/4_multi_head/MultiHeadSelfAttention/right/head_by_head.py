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
        s = self.k // self.heads
        q, k, v = self.toqueries(x), self.tokeys(x), self.tovalues(x)
        T = x.shape[1]
        heads = []
        for n in range(self.heads):
            part = slice(n * s, n * s + s)
            scores = q[..., part] @ k[..., part].transpose(1, 2) / s ** 0.5
            if self.mask:
                for i in range(T):
                    scores[:, i, i + 1:] = float("-inf")
            heads.append(torch.softmax(scores, dim=2) @ v[..., part])
        return self.unifyheads(torch.cat(heads, dim=-1))
