# wrong: queries and keys exchanged (catalogue 16)
# says: queries and keys changed roles
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
        queries = self.toqueries(x).view(B, T, h, k).transpose(1, 2)
        keys = self.tokeys(x).view(B, T, h, k).transpose(1, 2)
        values = self.tovalues(x).view(B, T, h, k).transpose(1, 2)
        queries = queries / k ** (1 / 4)
        keys = keys / k ** (1 / 4)
        weights = torch.softmax(keys @ queries.transpose(2, 3), dim=-1)
        out = (weights @ values).transpose(1, 2).reshape(B, T, h * k)
        return self.unifyheads(out)
