# wrong: heads of one token attend to each other (catalogue 26)
# says: no token sees another
class WideSelfAttention(nn.Module):
    def __init__(self, k, heads):
        super().__init__()
        self.k, self.heads = k, heads
        self.toqueries = nn.Linear(k, heads * k, bias=False)
        self.tokeys = nn.Linear(k, heads * k, bias=False)
        self.tovalues = nn.Linear(k, heads * k, bias=False)
        self.unifyheads = nn.Linear(heads * k, k)

    def forward(self, x):
        B, T, k = x.size()
        h = self.heads
        queries = self.toqueries(x).view(B, T, h, k)
        keys = self.tokeys(x).view(B, T, h, k)
        values = self.tovalues(x).view(B, T, h, k)
        queries = queries / k ** (1 / 4)
        keys = keys / k ** (1 / 4)
        weights = torch.softmax(queries @ keys.transpose(2, 3), dim=-1)
        out = (weights @ values).reshape(B, T, h * k)
        return self.unifyheads(out)
