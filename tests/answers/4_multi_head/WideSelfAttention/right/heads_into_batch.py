class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        b, t, k = x.size()
        h = self.heads
        keys = self.tokeys(x).view(b, t, h, k)
        queries = self.toqueries(x).view(b, t, h, k)
        values = self.tovalues(x).view(b, t, h, k)
        keys = keys.transpose(1, 2).contiguous().view(b * h, t, k)
        queries = queries.transpose(1, 2).contiguous().view(b * h, t, k)
        values = values.transpose(1, 2).contiguous().view(b * h, t, k)
        queries /= k ** (1 / 4)
        keys /= k ** (1 / 4)
        dot = nn.functional.softmax(torch.bmm(queries, keys.transpose(1, 2)), dim=2)
        out = torch.bmm(dot, values).view(b, h, t, k)
        return self.unifyheads(out.transpose(1, 2).contiguous().view(b, t, h * k))
