class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.shape
        q, keys, v = (layer(x).reshape(B, T, self.heads, k) for layer in (self.toqueries, self.tokeys, self.tovalues))
        dot = torch.einsum("bthi,bshi->bhts", q / k ** 0.25, keys / k ** 0.25)
        out = torch.einsum("bhts,bshi->bthi", dot.softmax(dim=-1), v)
        return self.unifyheads(out.reshape(B, T, self.heads * k))
