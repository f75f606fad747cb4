# wrong: first head repeated (catalogue 29)
# says: one head is used for all
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
        B, T, k = x.size()
        h = self.heads
        s = k // h
        queries = self.toqueries(x).view(B, T, h, s).transpose(1, 2)
        keys = self.tokeys(x).view(B, T, h, s).transpose(1, 2)
        values = self.tovalues(x).view(B, T, h, s).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / s ** 0.5
        if self.mask:
            later = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
            scores = scores.masked_fill(later, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ values)[:, 0].repeat(1, 1, h)
        return self.unifyheads(out)
