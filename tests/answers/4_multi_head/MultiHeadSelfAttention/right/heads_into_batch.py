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
        b, t, k = x.size()
        h, s = self.heads, k // self.heads
        fold = lambda y: y.view(b, t, h, s).transpose(1, 2).contiguous().view(b * h, t, s)
        queries, keys, values = fold(self.toqueries(x)), fold(self.tokeys(x)), fold(self.tovalues(x))
        queries = queries / s ** (1 / 4)
        keys = keys / s ** (1 / 4)
        dot = torch.bmm(queries, keys.transpose(1, 2))
        if self.mask:
            indices = torch.triu_indices(t, t, offset=1)
            dot[:, indices[0], indices[1]] = float("-inf")
        dot = nn.functional.softmax(dot, dim=2)
        out = torch.bmm(dot, values).view(b, h, t, s)
        return self.unifyheads(out.transpose(1, 2).contiguous().view(b, t, k))
